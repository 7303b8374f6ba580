// SPDX-License-Identifier: Apache-2.0
//
// The page: the eye. It moves around a point as MuJoCo's free camera does (azimuth, elevation,
// distance), or looks through a camera of the model.
#pragma once

namespace corten::view::page {

inline constexpr char camera[] = R"js(
class Eye {
  constructor(world) {
    this.world = world;
    this.fixed = -1;   // a camera of the model
    this.follow = 0;   // a body
    this.home();
  }
  // `all`: whatever moves shall be in the picture, wherever it went
  home(all = false) {
    const { model } = this.world, v = model.visual;
    // MuJoCo's own default looks steeply down; a file that says something else is obeyed
    const plain = v.azimuth === 90 && v.elevation === -45;
    this.azimuth = plain ? 125 : v.azimuth;
    this.elevation = plain ? -18 : v.elevation;
    // upright screens are narrow: as much must fit between their sides as between top and bottom
    this.distance = 1.5 * model.extent * Math.max(1, innerHeight / innerWidth);
    this.target = [...model.center];
    this.last = null;
    this.fit = plain || all || innerHeight > innerWidth;
  }
  // moves back, and to the middle of what moves, if not all of it is in the picture
  include(points, view, aspect) {
    const inside = p => {
      const [x, y, w] = project(view, p, 2, 2);
      return w > 0 && Math.abs(x - 1) < .9 && Math.abs(y - 1) < .9;
    };
    if (points.every(inside)) return;
    const most = f => points.reduce((a, b) => a.map((x, k) => f(x, b[k])));
    this.target = mul(add(most(Math.min), most(Math.max)), .5);
    const far = points.reduce((d, p) => Math.max(d, len(sub(p, this.target))), 0);
    const half = Math.atan(view.half * Math.min(1, aspect)), { meansize } = this.world.model;
    this.distance = Math.max(this.distance, (far + 2 * meansize) / Math.sin(half));
  }

  // The rotation of the free camera: x to the right, y up, looking along -z. Chromium's renderer
  // for computers without a graphics card loses large triangles when the eye looks exactly along
  // an axis of a symmetric model; a thousandth of a degree, which nobody sees, avoids that.
  rotation() {
    const a = (this.azimuth + 1e-3) * Math.PI / 180, e = this.elevation * Math.PI / 180;
    const forward = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
    const right = [Math.sin(a), -Math.cos(a), 0];
    return [...right, ...cross(right, forward), ...mul(forward, -1)];
  }

  // keeps the followed body where it is in the picture
  track(frame) {
    if (!this.follow) return;
    const at = this.world.com(frame, this.follow);
    if (this.last) this.target = add(this.target, sub(at, this.last));
    else this.target = at;
    this.last = at;
  }

  view(frame, aspect) {
    if (this.fit && this.fixed < 0) {
      this.include(this.world.places(frame), this.look(frame, aspect), aspect);
      this.fit = false;
    }
    return this.look(frame, aspect);
  }
  look(frame, aspect) {
    const { model } = this.world, v = model.visual, near = v.znear * model.extent;
    const far = Math.max(v.zfar * model.extent, 4 * this.distance);
    let eye, r, fovy = v.fovy, flat = false;
    if (this.fixed >= 0 && this.fixed < model.cameras.length) {
      const c = this.world.camera(frame, this.fixed), own = model.cameras[this.fixed];
      eye = c.position;
      r = c.rotation;
      fovy = own.fovy;
      flat = own.flat;
    } else {
      this.track(frame);
      r = this.rotation();
      eye = add(this.target, mul(r.slice(6, 9), this.distance));
    }
    const half = Math.tan(fovy * Math.PI / 360);
    const lens = flat ? orthographic(fovy / 2 * aspect, fovy / 2, near, far)
      : perspective(fovy, aspect, near, far);
    return { eye, rotation: r, camera: multiply(lens, viewing(eye, r)),
      spread: flat ? [1e-4, 1e-4] : [half * aspect, half], half: flat ? fovy / 2 : half, flat,
      far };
  }

  orbit(dx, dy) {
    this.azimuth -= .28 * dx;
    this.elevation = clamp(this.elevation - .28 * dy, -89.9, 89.9);
  }
  pan(dx, dy, height) {
    const r = this.rotation(), half = Math.tan(this.world.model.visual.fovy * Math.PI / 360);
    const scale = 2 * this.distance * half / height;
    this.target = add(this.target, add(mul(r.slice(0, 3), -dx * scale), mul(r.slice(3, 6),
      dy * scale)));
  }
  zoom(factor) {
    const { extent } = this.world.model;
    this.distance = clamp(this.distance * factor, .01 * extent, 60 * extent);
  }
}

// a point of the world on the screen, in pixels from the upper left corner
function project(view, p, width, height) {
  const m = view.camera, w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
  const x = (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w;
  const y = (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w;
  return [(x + 1) / 2 * width, (1 - y) / 2 * height, w];
}
)js";

}  // namespace corten::view::page
