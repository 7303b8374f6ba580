// SPDX-License-Identifier: Apache-2.0
//
// The page: vectors, quaternions (w x y z) and matrices (columns first, as WebGL takes them).
#pragma once

namespace corten::view::page {

inline constexpr char math[] = R"js(
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const mul = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0]];
const len = a => Math.hypot(a[0], a[1], a[2]);
const unit = a => { const n = len(a); return n > 1e-12 ? mul(a, 1 / n) : [0, 0, 1]; };
const clamp = (x, lo, hi) => Math.min(hi, Math.max(lo, x));

// the rotation of a quaternion, as nine numbers, columns first
function rotation(q) {
  const [w, x, y, z] = q;
  return [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
    2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
    2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
}
const turn = (r, v) => [r[0] * v[0] + r[3] * v[1] + r[6] * v[2],
  r[1] * v[0] + r[4] * v[1] + r[7] * v[2], r[2] * v[0] + r[5] * v[1] + r[8] * v[2]];
const product = (a, b) => [...turn(a, b.slice(0, 3)), ...turn(a, b.slice(3, 6)),
  ...turn(a, b.slice(6, 9))];
const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];

// a rotation that takes z to the direction
function along(direction) {
  const z = unit(direction), x = unit(cross(Math.abs(z[2]) < .9 ? [0, 0, 1] : [1, 0, 0], z));
  return [...x, ...cross(z, x), ...z];
}

function multiply(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
    let s = 0;
    for (let k = 0; k < 4; k++) s += a[4 * k + r] * b[4 * c + k];
    out[4 * c + r] = s;
  }
  return out;
}
function perspective(fovy, aspect, near, far) {
  const f = 1 / Math.tan(fovy * Math.PI / 360);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0,
    0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0]);
}
function orthographic(w, h, near, far) {
  return new Float32Array([1 / w, 0, 0, 0, 0, 1 / h, 0, 0,
    0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1]);
}
// the view from a point, given the rotation of the camera, which looks along -z
function viewing(eye, r) {
  return new Float32Array([r[0], r[3], r[6], 0, r[1], r[4], r[7], 0, r[2], r[5], r[8], 0,
    -dot(eye, r.slice(0, 3)), -dot(eye, r.slice(3, 6)), -dot(eye, r.slice(6, 9)), 1]);
}
)js";

}  // namespace corten::view::page
