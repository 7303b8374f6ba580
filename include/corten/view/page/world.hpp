// SPDX-License-Identifier: Apache-2.0
//
// The page: the model and its frames, and the list of things that the renderer draws of them.
#pragma once

namespace corten::view::page {

inline constexpr char world[] = R"js(
// reads the block of bytes that view/pack.hpp writes
function unpack(bytes) {
  const at = new DataView(bytes.buffer, bytes.byteOffset), size = at.getUint32(4, true);
  const model = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + size)));
  model.bytes = bytes.slice(8 + size);
  return model;
}

// The frames of a recording, or the latest ones of a live simulation.
class Film {
  constructor(model) {
    this.frames = [];
    const f = model.frames;
    if (!f) return;
    const all = new Float32Array(model.bytes.buffer, model.bytes.byteOffset + f.at, f.size);
    f.start.forEach((s, i) => {
      this.frames.push(all.subarray(s, i + 1 < f.start.length ? f.start[i + 1] : f.size));
    });
  }
  get start() { return this.frames.length ? this.frames[0][0] : 0; }
  get end() { return this.frames.length ? this.frames[this.frames.length - 1][0] : 0; }

  // the last frame that is not later
  index(time) {
    let low = 0, high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle][0] <= time + 1e-6) low = middle; else high = middle - 1;
    }
    return low;
  }
  // the world at a time: poses between frames are interpolated
  at(time, layout) {
    const i = this.index(time), a = this.frames[i], b = this.frames[i + 1];
    if (!b || time <= a[0]) return a;
    const t = clamp((time - a[0]) / (b[0] - a[0]), 0, 1), out = a.slice();
    out[0] = time;
    for (let k = layout.body; k < layout.com; k++) out[k] = a[k] + t * (b[k] - a[k]);
    for (let k = layout.body; k < layout.camera; k += 7) {
      let same = 0, norm = 0;
      for (let c = 3; c < 7; c++) same += a[k + c] * b[k + c];
      for (let c = 3; c < 7; c++) {
        out[k + c] = a[k + c] * (1 - t) + t * (same < 0 ? -1 : 1) * b[k + c];
        norm += out[k + c] ** 2;
      }
      for (let c = 3; c < 7; c++) out[k + c] /= Math.sqrt(norm);
    }
    return out;
  }
  push(frame) {
    const last = this.frames[this.frames.length - 1];
    if (last && frame[0] < last[0]) this.frames = [];  // the simulation was reset
    if (last && frame[0] === last[0]) this.frames.pop();
    this.frames.push(frame);
    if (this.frames.length > 1800) this.frames.splice(0, 300);
  }
}

class World {
  constructor(model, renderer) {
    this.model = model;
    this.renderer = renderer;
    this.film = new Film(model);
    this.textures = [];
    this.flags = { joints: false, contacts: false, forces: false, mass: false, inertia: false,
      frames: false, cameras: false, lights: false, tendons: true, transparent: false };
    const groups = () => [true, true, true, false, false, false];
    this.groups = { geoms: groups(), sites: groups(), joints: groups(), tendons: groups(),
      deformables: groups(), skins: groups() };
    this.highlight = -1;
    this.geoms = model.geoms.map((g, i) => this.fixed(g, 'geom', i)).filter(g => g);
    this.sites = model.sites.map((s, i) => this.fixed(s, 'site', i)).filter(s => s);
    this.deformables = model.deformables.map(d => this.deformable(d));
    this.skins = model.skins.map((s, i) => this.skin(s, i));
    this.endless = !model.geoms.some(g => g.shape === 0 || g.shape === 1);
  }

  async load() {
    const { model, renderer } = this;
    this.textures = await Promise.all(model.textures.map(async t => {
      if (!t.size) return null;
      const png = new Blob([model.bytes.subarray(t.at, t.at + t.size)], { type: 'image/png' });
      const options = { imageOrientation: 'flipY', colorSpaceConversion: 'none',
        premultiplyAlpha: 'none' };
      return renderer.texture(await createImageBitmap(png, options));
    }));
  }

  // A geom or site: its buffer, its scale and how its texture lies on it. Shapes are numbered as
  // in scene/pen.hpp; meshes, height fields and triangles of a geom's own have g.mesh.
  fixed(g, kind, id) {
    const r = this.renderer, s = g.size, m = this.model;
    if (g.rgba[3] === 0) return null;
    const out = { kind, id, body: g.body, group: g.group, colour: g.rgba, local: rotation(g.quat),
      offset: g.pos, scale: [1, 1, 1], shadow: kind === 'geom', shape: g.shape, name: g.name };
    const far = 40 * m.extent, size = k => s[k] > 0 ? s[k] : far;
    const made = { 0: () => [r.shape('plane', planeShape), [size(0), size(1), 1]],
      2: () => [r.shape('sphere', () => roundShape(1, 0, 48, 24)), [s[0], s[0], s[0]]],
      3: () => [r.shape(`capsule ${s[0]} ${s[1]}`, () => roundShape(s[0], s[1])), [1, 1, 1]],
      4: () => [r.shape('sphere', () => roundShape(1, 0, 48, 24)), s],
      5: () => [r.shape('cylinder', cylinderShape), [s[0], s[0], s[1]]],
      6: () => [r.shape('box', boxShape), s] }[g.shape];
    if (g.mesh >= 0) {
      out.buffer = r.shape('mesh ' + g.mesh, () => meshShape(m.bytes, m.meshes[g.mesh]));
      if (out.buffer.count === 0) return null;
    } else if (!made) return null;
    else [out.buffer, out.scale] = made();
    if (g.shape === 0) {
      out.fade = s[0] > 0 && s[1] > 0 ? 0 : 14 * m.extent;
      out.shadow = false;
    }
    out.size = s;
    out.span = g.shape === 0 ? out.scale : s;
    return this.finish(out, g.material);
  }

  finish(out, id) {
    const m = this.model.materials[id];
    if (m) {
      out.surface = m.surface;
      out.material = id;
    }
    if (out.shape === 0 && (!m || m.texture < 0)) {
      const cell = 10 ** Math.round(Math.log10(this.model.extent / 4));
      out.mapping = [3, out.scale[0] / cell, out.scale[1] / cell, 0];
    }
    return out;
  }

  // textures arrive after the first frame
  textured(thing) {
    const m = this.model.materials[thing.material];
    const texture = m && m.texture >= 0 ? this.textures[m.texture] : null;
    if (!texture || thing.texture) return thing;
    thing.texture = texture;
    if (this.model.textures[m.texture].cube) {
      thing.mapping = [2, 1, 1, 0];
      return thing;
    }
    const repeat = [0, 1].map(k => {
      const endless = thing.shape === 0 && thing.size[k] <= 0;
      const times = m.repeat[k] || 1;
      return (m.uniform || endless) && thing.span ? times * (thing.span[k] || 1) : times;
    });
    thing.mapping = [1, repeat[0], repeat[1], 0];
    return thing;
  }

  deformable(d) {
    const bytes = this.model.bytes, at = bytes.byteOffset + d.at;
    const face = new Uint32Array(bytes.buffer, at, d.face);
    const segment = new Uint32Array(bytes.buffer, at + 4 * d.face, d.segment);
    const vert = new Float32Array(8 * d.count);
    const out = { kind: 'soft', id: d.first, body: 0, group: d.group, colour: d.rgba, face, segment,
      vert, count: d.count, first: d.first, radius: d.radius, position: [0, 0, 0],
      rotation: identity, scale: [1, 1, 1], shadow: true, twoSided: true,
      surface: [0, .15, .2, 0] };
    if (face.length) out.buffer = this.renderer.buffer({ vert, face });
    return out;
  }

  // a surface that follows several bodies; view/pack.hpp says what is in its bytes
  skin(s, id) {
    let at = this.model.bytes.byteOffset + s.at;
    const take = (Kind, n) => {
      at += 4 * n;
      return new Kind(this.model.bytes.buffer, at - 4 * n, n);
    };
    const bound = take(Float32Array, 3 * s.count), uv = s.uv ? take(Float32Array, 2 * s.count) : [];
    const face = take(Uint32Array, s.face), vert = new Float32Array(8 * s.count);
    const bones = s.bones.map(b => ({ ...b, vertex: take(Uint32Array, b.count),
      weight: take(Float32Array, b.count) }));
    for (let i = 0; i < uv.length; i++) vert[8 * (i >> 1) + 6 + i % 2] = uv[i];
    const out = { kind: 'skin', id, body: 0, group: s.group, colour: s.rgba, face, vert, bound,
      bones, count: s.count, inflate: s.inflate, position: [0, 0, 0], rotation: identity,
      scale: [1, 1, 1], shadow: true, twoSided: true, surface: [0, .15, .2, 0],
      buffer: this.renderer.buffer({ vert, face }) };
    return this.finish(out, s.material);
  }
  // each vertex is the weighted mean of where its bones would take it
  stretch(s) {
    const { vert, bound, face } = s;
    for (let i = 0; i < s.count; i++) vert.fill(0, 8 * i, 8 * i + 6);
    for (const b of s.bones) {
      const q = rotation(b.quat), back = [0, 3, 6, 1, 4, 7, 2, 5, 8].map(k => q[k]);
      const r = product(this.rotations[b.body], back);
      const off = sub(this.positions[b.body], turn(r, b.pos));
      for (let i = 0; i < b.count; i++) {
        const v = b.vertex[i], w = b.weight[i], x = bound[3 * v], y = bound[3 * v + 1];
        const z = bound[3 * v + 2];
        for (let k = 0; k < 3; k++) {
          vert[8 * v + k] += w * (r[k] * x + r[3 + k] * y + r[6 + k] * z + off[k]);
        }
      }
    }
    this.smooth(s);
    for (let i = 0; s.inflate && i < s.count; i++) {
      for (let k = 0; k < 3; k++) vert[8 * i + k] += s.inflate * vert[8 * i + 3 + k];
    }
    this.renderer.buffer({ vert, face }, s.buffer);
  }

  // moves the vertices
  bend(d, frame) {
    const { vert, face, count } = d, from = this.model.layout.soft + 3 * d.first;
    vert.fill(0);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) vert[8 * i + k] = frame[from + 3 * i + k];
    }
    this.smooth(d);
    this.renderer.buffer({ vert, face }, d.buffer);
  }
  // the normals of vertices, which are zero before
  smooth({ vert, face, count }) {
    const p = i => [vert[8 * i], vert[8 * i + 1], vert[8 * i + 2]];
    for (let f = 0; f < face.length; f += 3) {
      const a = p(face[f]), n = cross(sub(p(face[f + 1]), a), sub(p(face[f + 2]), a));
      for (let c = 0; c < 3; c++) for (let k = 0; k < 3; k++) vert[8 * face[f + c] + 3 + k] += n[k];
    }
    for (let i = 0; i < count; i++) {
      vert.set(unit([vert[8 * i + 3], vert[8 * i + 4], vert[8 * i + 5]]), 8 * i + 3);
    }
  }

  pose(frame, body) {
    const k = this.model.layout.body + 7 * body;
    return { position: [...frame.subarray(k, k + 3)], quat: [...frame.subarray(k + 3, k + 7)] };
  }
  com(frame, body) {
    const k = this.model.layout.com + 3 * body;
    return [...frame.subarray(k, k + 3)];
  }

  // where the parts of what can move are, now and in a recording, and the middle of the model
  places(frame) {
    const { bodies, layout, center } = this.model, out = [[...center]];
    const count = this.model.live ? 0 : this.film.frames.length - 1;
    const some = [0, .25, .5, .75, 1].map(s => this.film.frames[Math.round(s * count)]);
    for (const f of count > 0 ? [frame, ...some] : [frame]) {
      for (const g of this.geoms) {
        if (bodies[g.body].fixed || !this.groups.geoms[clamp(g.group, 0, 5)]) continue;
        const p = this.pose(f, g.body);
        out.push(add(p.position, turn(rotation(p.quat), g.offset)));
      }
      for (let k = layout.soft; k < layout.com; k += 3) out.push([...f.subarray(k, k + 3)]);
    }
    return out;
  }

  // everything that is drawn of a frame
  things(frame) {
    const out = [], { model, flags, groups } = this;
    this.rotations = model.bodies.map((b, i) => rotation(this.pose(frame, i).quat));
    this.positions = model.bodies.map((b, i) => this.pose(frame, i).position);
    const inGroup = (name, g) => groups[name][clamp(g, 0, 5)];
    for (const g of this.geoms) if (inGroup('geoms', g.group)) out.push(this.carried(g));
    for (const s of this.sites) if (inGroup('sites', s.group)) out.push(this.carried(s));
    for (const d of this.deformables) {
      if (!inGroup('deformables', d.group)) continue;
      if (d.buffer) {
        this.bend(d, frame);
        out.push(d);
      }
      const p = i => [...frame.subarray(model.layout.soft + 3 * (d.first + i),
        model.layout.soft + 3 * (d.first + i) + 3)];
      for (let k = 0; k < d.segment.length; k += 2) {
        this.rod(out, p(d.segment[k]), p(d.segment[k + 1]),
          Math.max(d.radius, .02 * model.meansize), d.colour, 'soft', d.id);
      }
    }
    for (const s of this.skins) {
      if (!inGroup('skins', s.group)) continue;
      this.stretch(s);
      out.push(this.textured(s));
    }
    this.rest(frame, out, inGroup);
    if (flags.joints) this.joints(out, inGroup);
    if (flags.mass) this.masses(frame, out);
    if (flags.inertia) this.inertias(out);
    if (flags.frames) this.axes(out);
    if (flags.cameras) this.cameras(frame, out);
    if (flags.lights) this.lamps(frame, out);
    return out;
  }

  carried(g) {
    const r = this.rotations[g.body];
    this.textured(g);
    g.rotation = product(r, g.local);
    g.position = add(this.positions[g.body], turn(r, g.offset));
    const moves = !this.model.bodies[g.body].fixed, lit = this.highlight === g.body && g.body > 0;
    if (!lit && !(this.flags.transparent && moves)) return g;
    const colour = [...g.colour];
    if (this.flags.transparent && moves) colour[3] *= .3;
    return lit ? { ...g, colour: [...colour.slice(0, 3).map(x => x * .7 + .3), colour[3]],
      surface: [.25, .5, .5, 0] } : { ...g, colour };
  }

  // ---- decoration: shapes that have no place in the model ----

  mark(out, shape, make, position, rot, scale, colour, kind, id, body = 0) {
    out.push({ kind, id, body, buffer: this.renderer.shape(shape, make), position, rotation: rot,
      scale, colour, shadow: false, surface: [.15, .3, .4, 0] });
  }
  arrow(out, from, vector, width, colour, kind, id, body) {
    const n = len(vector);
    if (n > 1e-9) {
      this.mark(out, 'arrow', arrowShape, from, along(vector), [width, width, n], colour, kind, id,
        body);
    }
  }
  rod(out, a, b, radius, colour, kind, id) {
    const d = sub(b, a), n = len(d), r = along(d), shadow = true;
    this.mark(out, 'cylinder', cylinderShape, mul(add(a, b), .5), r, [radius, radius, n / 2],
      colour, kind, id);
    this.mark(out, 'sphere', () => roundShape(1, 0, 48, 24), b, r, [radius, radius, radius],
      colour, kind, id);
    for (const one of out.slice(-2)) Object.assign(one, { shadow, surface: [0, .3, .4, 0] });
  }

  // tendons and contacts, which follow the blocks of fixed length
  rest(frame, out, inGroup) {
    const { model, flags } = this;
    let k = model.layout.rest;
    model.tendons.forEach((t, id) => {
      const count = frame[k++], shown = flags.tendons && inGroup('tendons', t.group);
      for (let i = 0; i < count; i++, k += 4) {
        if (!shown || !frame[k + 3]) continue;
        this.rod(out, [...frame.subarray(k, k + 3)], [...frame.subarray(k + 4, k + 7)], t.width,
          t.rgba, 'tendon', id);
      }
    });
    const size = model.meansize, scale = model.visual.force / model.meanmass;
    for (let c = 0; c < frame[1]; c++, k += 10) {
      const at = [...frame.subarray(k, k + 3)], normal = frame.subarray(k + 3, k + 6);
      const force = [...frame.subarray(k + 6, k + 9)];
      if (flags.contacts) {
        this.mark(out, 'cylinder', cylinderShape, at, along(normal), [.18 * size, .18 * size,
          .04 * size], [.95, .55, .15, 1], 'contact', c);
      }
      if (flags.forces) {
        this.arrow(out, at, mul(force, scale), .12 * size, [.35, .75, .95, 1], 'force', c);
      }
    }
  }
  joints(out, inGroup) {
    const size = this.model.meansize, colour = [.2, .6, .85, 1];
    this.model.joints.forEach((j, id) => {
      if (!inGroup('joints', j.group)) return;
      const r = this.rotations[j.body], at = add(this.positions[j.body], turn(r, j.pos));
      if (j.type >= 2) {
        this.arrow(out, at, mul(turn(r, j.axis), 1.2 * size), .12 * size, colour, 'joint', id,
          j.body);
      } else {
        const box = j.type === 0;
        this.mark(out, box ? 'box' : 'sphere', box ? boxShape : () => roundShape(1, 0, 48, 24), at,
          r, [.15 * size, .15 * size, .15 * size], colour, 'joint', id, j.body);
      }
    });
  }
  masses(frame, out) {
    const size = .4 * this.model.meansize;
    this.model.bodies.forEach((b, id) => {
      if (id === 0 || b.root !== id || b.mass === 0 && b.fixed) return;
      this.mark(out, 'sphere', () => roundShape(1, 0, 48, 24), this.com(frame, id), identity,
        [size, size, size], [.95, .95, .95, 1], 'mass', id, id);
    });
  }
  inertias(out) {
    this.model.bodies.forEach((b, id) => {
      if (id === 0 || !(b.mass > 0)) return;
      const sum = b.inertia[0] + b.inertia[1] + b.inertia[2];
      const size = b.inertia.map(i => Math.sqrt(Math.max(0, (sum - 2 * i) * 1.5 / b.mass)));
      const r = this.rotations[id];
      this.mark(out, 'box', boxShape, add(this.positions[id], turn(r, b.ipos)),
        product(r, rotation(b.iquat)), size, [.8, .2, .2, .55], 'inertia', id, id);
    });
  }
  axes(out) {
    const size = this.model.meansize;
    this.model.bodies.forEach((b, id) => {
      for (let k = 0; k < 3; k++) {
        const colour = [.15, .15, .15, 1];
        colour[k] = .9;
        this.arrow(out, this.positions[id], mul(this.rotations[id].slice(3 * k, 3 * k + 3), size),
          .06 * size, colour, 'frame', id, id);
      }
    });
  }
  cameras(frame, out) {
    const size = .3 * this.model.meansize;
    this.model.cameras.forEach((c, id) => {
      const eye = this.camera(frame, id);
      this.mark(out, 'box', boxShape, eye.position, eye.rotation, [size, .75 * size, .5 * size],
        [.6, .9, .6, 1], 'camera', id);
      this.arrow(out, eye.position, mul(eye.rotation.slice(6, 9), -3 * size), .3 * size,
        [.6, .9, .6, 1], 'camera', id);
    });
  }
  lamps(frame, out) {
    const size = .3 * this.model.meansize;
    this.model.lights.forEach((l, id) => {
      const k = this.model.layout.light + 6 * id;
      this.arrow(out, [...frame.subarray(k, k + 3)], mul(frame.subarray(k + 3, k + 6), 3 * size),
        size, [.95, .9, .5, 1], 'light', id);
    });
  }

  camera(frame, id) {
    const k = this.model.layout.camera + 12 * id, m = frame.subarray(k + 3, k + 12);
    return { position: [...frame.subarray(k, k + 3)],
      rotation: [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]] };
  }
}
)js";

}  // namespace corten::view::page
