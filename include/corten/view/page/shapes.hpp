// SPDX-License-Identifier: Apache-2.0
//
// The page: triangles. A shape is a buffer of vertices (position, normal, texture coordinate; eight
// floats each) and indices.
#pragma once

namespace corten::view::page {

inline constexpr char shapes[] = R"js(
class Shape {
  constructor() { this.vert = []; this.face = []; }
  put(p, n, u = 0, v = 0) {
    this.vert.push(p[0], p[1], p[2], n[0], n[1], n[2], u, v);
    return this.vert.length / 8 - 1;
  }
  quad(a, b, c, d) { this.face.push(a, b, c, a, c, d); }
  grid(first, rows, columns) {
    for (let r = 0; r + 1 < rows; r++) for (let c = 0; c < columns; c++) {
      const a = first + r * (columns + 1) + c, b = a + columns + 1;
      this.quad(a, a + 1, b + 1, b);
    }
  }
}

// two halves of a sphere, apart by 2 half along z
function roundShape(radius, half, slices = 36, stacks = 18) {
  const s = new Shape();
  let rows = 0;
  for (let r = 0; r <= stacks; r++) {
    const middle = 2 * r === stacks && half > 0;
    for (let copy = 0; copy < (middle ? 2 : 1); copy++, rows++) {
      const angle = Math.PI * r / stacks, z = -Math.cos(angle), ring = Math.sin(angle);
      const upper = middle ? copy === 1 : 2 * r > stacks;
      for (let c = 0; c <= slices; c++) {
        const t = 2 * Math.PI * c / slices, n = [ring * Math.cos(t), ring * Math.sin(t), z];
        s.put([radius * n[0], radius * n[1], radius * z + (upper ? half : -half)], n, c / slices,
          r / stacks);
      }
    }
  }
  s.grid(0, rows, slices);
  return s;
}

// a cone or cylinder around z, from z0 with radius r0 to z1 with radius r1
function turnedShape(s, z0, r0, z1, r1, slices = 36) {
  const slope = (r0 - r1) / Math.hypot(r0 - r1, z1 - z0), flat = Math.sqrt(1 - slope * slope);
  const first = s.vert.length / 8;
  for (const [z, r, v] of [[z0, r0, 0], [z1, r1, 1]]) {
    for (let c = 0; c <= slices; c++) {
      const t = 2 * Math.PI * c / slices, x = Math.cos(t), y = Math.sin(t);
      s.put([r * x, r * y, z], [flat * x, flat * y, slope], c / slices, v);
    }
  }
  s.grid(first, 2, slices);
  for (const [z, r, up] of [[z0, r0, -1], [z1, r1, 1]]) {
    if (r === 0) continue;
    const centre = s.put([0, 0, z], [0, 0, up], .5, .5), rim = centre + 1;
    for (let c = 0; c <= slices; c++) {
      const t = 2 * Math.PI * c / slices, x = Math.cos(t), y = Math.sin(t);
      s.put([r * x, r * y, z], [0, 0, up], .5 + x / 2, .5 + y / 2);
    }
    for (let c = 0; c < slices; c++) {
      s.face.push(centre, rim + c + (up > 0 ? 0 : 1), rim + c + (up > 0 ? 1 : 0));
    }
  }
  return s;
}
const cylinderShape = () => turnedShape(new Shape(), -1, 1, 1, 1);
// from 0 to 1 along z; the shaft is half as wide as the head
function arrowShape() {
  const s = turnedShape(new Shape(), 0, .45, .72, .45, 20);
  return turnedShape(s, .72, 1, 1, 0, 20);
}

function boxShape() {
  const s = new Shape();
  for (let axis = 0; axis < 3; axis++) for (const side of [-1, 1]) {
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => {
      const p = [0, 0, 0], n = [0, 0, 0];
      p[axis] = n[axis] = side;
      p[(axis + 1) % 3] = a * side;
      p[(axis + 2) % 3] = b;
      return s.put(p, n, .5 + a / 2, .5 + b / 2);
    });
    s.quad(...corners);
  }
  return s;
}
function planeShape() {
  const s = new Shape();
  s.quad(...[[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) =>
    s.put([x, y, 0], [0, 0, 1], .5 + x / 2, .5 + y / 2)));
  return s;
}

// A mesh of the scene: positions in 16 bits within its bounds, normals folded onto an octahedron.
function meshShape(bytes, m) {
  const at = new DataView(bytes.buffer, bytes.byteOffset + m.at);
  const vert = new Float32Array(8 * m.nvert);
  for (let i = 0; i < m.nvert; i++) {
    for (let k = 0; k < 3; k++) {
      const x = at.getUint16(12 * i + 2 * k, true) / 65535;
      vert[8 * i + k] = m.low[k] + x * (m.high[k] - m.low[k]);
    }
    let x = at.getInt16(12 * i + 8, true) / 32767, y = at.getInt16(12 * i + 10, true) / 32767;
    const z = 1 - Math.abs(x) - Math.abs(y);
    if (z < 0) {
      [x, y] = [(1 - Math.abs(y)) * Math.sign(x || 1), (1 - Math.abs(x)) * Math.sign(y || 1)];
    }
    vert.set(unit([x, y, z]), 8 * i + 3);
    if (m.uv >= 0) {
      vert[8 * i + 6] = at.getFloat32(m.uv + 8 * i, true);
      vert[8 * i + 7] = at.getFloat32(m.uv + 8 * i + 4, true);
    }
  }
  const face = new Uint32Array(3 * m.nface);
  for (let i = 0; i < face.length; i++) {
    face[i] = m.wide ? at.getUint32(m.faces + 4 * i, true) : at.getUint16(m.faces + 2 * i, true);
  }
  return { vert, face };
}
)js";

}  // namespace corten::view::page
