// SPDX-License-Identifier: Apache-2.0
//
// The page: the program. It owns the time that is shown, draws frames, and answers the mouse, touch
// and the keyboard.
#pragma once

namespace corten::view::page {

inline constexpr char app[] = R"js(
const $ = id => document.getElementById(id);
const speeds = [.05, .1, .25, .5, 1, 2, 4];
const icons = { play: 'M8 5v14l11-7z', pause: 'M7 5h4v14H7zm6 0h4v14h-4z' };

class App {
  constructor() {
    this.renderer = new Renderer($('view'));
    this.time = 0;
    this.playing = false;
    this.speed = 1;
    this.plots = new Map();
    this.dirty = true;
    this.fps = 0;
    const dark = window.matchMedia && matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }

  say(title, text) {
    $('message').hidden = !title;
    $('message').querySelector('h2').textContent = title || '';
    $('message').querySelector('pre').textContent = text || '';
  }

  // takes a model; a live page does so again when the file has changed
  async open(bytes) {
    const model = unpack(bytes), before = this.eye, kept = this.world;
    this.renderer.buffers.clear();
    this.model = model;
    this.world = new World(model, this.renderer);
    this.eye = new Eye(this.world);
    if (kept && kept.model.title === model.title) {
      for (const k of ['azimuth', 'elevation', 'distance', 'target']) this.eye[k] = before[k];
      Object.assign(this.world.flags, kept.flags);
      Object.assign(this.world.groups, kept.groups);
    }
    document.title = model.title;
    $('title').querySelector('h1').textContent = model.title;
    this.time = this.world.film.start;
    this.series = seriesOf(model);
    this.plots.forEach(p => p.box.remove());
    this.plots.clear();
    fillPanel(this);
    const small = window.innerWidth < 700 || window.innerHeight < 500;
    const wanted = model.plots.split(',').filter(name => name);
    wanted.slice(0, small ? 0 : 3).forEach(name => {
      const found = this.series.find(s => s.name === name);
      if (found) this.togglePlot(found);
    });
    await this.world.load();
    this.dirty = true;
  }

  // ---- time ----

  setPlaying(on) {
    this.playing = on;
    if (on && !this.model.live && this.time >= this.world.film.end - 1e-6) {
      this.time = this.world.film.start;
    }
    $('play').querySelector('path').setAttribute('d', on ? icons.pause : icons.play);
    $('play').setAttribute('aria-label', on ? 'pause' : 'play');
    this.dirty = true;
  }
  toggle() { this.model.live ? this.live.send(this.playing ? 'pause' : 'run')
    : this.setPlaying(!this.playing); }
  seek(time) {
    const { film } = this.world;
    this.time = clamp(time, film.start, film.end);
    this.dirty = true;
  }
  step(direction) {
    if (this.model.live) return this.live.send(direction > 0 ? 'step' : 'reset');
    const { film } = this.world, i = film.index(this.time) + direction;
    this.setPlaying(false);
    this.seek(film.frames[clamp(i, 0, film.frames.length - 1)][0]);
  }
  start() { this.model.live ? this.live.send('reset') : this.seek(this.world.film.start); }
  setSpeed(speed) {
    this.speed = speed;
    $('speed').value = speed;
    if (this.model.live) this.live.send(`speed ${speed}`);
  }
  togglePlot(series) {
    const old = this.plots.get(series.name);
    if (old) old.box.remove();
    if (old) this.plots.delete(series.name);
    else {
      const plot = new Plot(series, this);
      this.plots.set(series.name, plot);
      $('plots').append(plot.box);
    }
    markSeries(this);
    this.dirty = true;
  }

  // ---- drawing ----

  frame() {
    const { film } = this.world;
    return this.model.live ? film.frames[film.frames.length - 1] :
      film.at(this.time, this.model.layout);
  }

  // where the light comes from and what colour everything is
  look(frame) {
    const { model } = this, dark = document.documentElement.dataset.theme === 'dark';
    let [top, middle, bottom] = model.sky || (dark
      ? [[.09, .12, .16], [.23, .28, .34], [.12, .14, .17]]
      : [[.45, .61, .80], [.86, .91, .95], [.70, .73, .75]]);
    const lamp = model.lights.findIndex(l => l.active && l.type !== 3);
    let sun = unit([.35, -.45, .85]);
    if (lamp >= 0) {
      const k = model.layout.light + 6 * lamp, d = [...frame.subarray(k + 3, k + 6)];
      // a light straight from above gives flat pictures: lean it a little
      sun = unit(mul(d, -1));
      if (sun[2] > .97) sun = unit(add(sun, [.28, -.34, 0]));
      if (sun[2] < .15) sun = unit([sun[0], sun[1], .35]);
    }
    const tint = c => c.map(x => x ** 2.2);
    const bright = 1.15 - .3 * (top[0] + top[1] + top[2]) / 3;
    const sky = tint(middle).map((x, k) => .26 + .26 * (.5 * x + .5 * tint(top)[k]));
    return { sun, top, middle, bottom, sunColour: [1.0, .95, .88].map(x => x * bright),
      skyColour: sky, groundColour: [.17, .16, .15],
      headColour: model.visual.headlight ? model.visual.diffuse.map(x => .3 * x) : [0, 0, 0],
      centre: this.eye.follow || this.eye.fixed < 0 ? this.eye.target : model.center,
      radius: clamp(1.3 * this.eye.distance, .3 * model.extent, 3 * model.extent) };
  }

  draw() {
    if (!this.world || !this.world.film.frames.length) return;
    const { renderer } = this, frame = this.frame();
    renderer.resize();
    const aspect = renderer.canvas.width / renderer.canvas.height;
    this.things = this.world.things(frame);
    this.shown = frame;
    this.view = this.eye.view(frame, aspect);
    const extra = this.drag ? this.spring() : [];
    if (this.world.endless) extra.push(this.floor());
    renderer.render([...this.things, ...extra], this.view, this.look(frame));
    this.plots.forEach(p => p.draw(frame[0]));
    showTime(this, frame);
  }

  // a faint grid where the model has no ground of its own
  floor() {
    const { model, renderer } = this, size = 12 * model.extent;
    const cell = 10 ** Math.round(Math.log10(model.extent / 4));
    const dark = document.documentElement.dataset.theme === 'dark';
    return { buffer: renderer.shape('plane', planeShape), position: [0, 0, -.001 * model.extent],
      rotation: identity, scale: [size, size, 1], colour: dark ? [.2, .23, .27, .6] :
      [.75, .78, .8, .6], mapping: [3, size / cell, size / cell, 0], surface: [0, 0, 0, 0],
      fade: 9 * model.extent };
  }

  loop(now) {
    const since = (now - (this.last || now)) / 1000, passed = Math.min(.1, since);
    this.last = now;
    if (this.live && this.live.tick) this.live.tick(Math.min(1, since));
    if (this.world && this.playing && !this.model.live) {
      const { film } = this.world;
      this.time += passed * this.speed;
      if (this.time >= film.end) {
        this.time = film.end;
        this.setPlaying(false);
      }
      this.dirty = true;
    }
    if (this.dirty) {
      this.dirty = false;
      this.draw();
    }
    requestAnimationFrame(t => this.loop(t));
  }

  // ---- picking and dragging ----

  at(x, y) {
    const c = this.renderer.canvas, scale = c.width / c.clientWidth, reach = this.view.far;
    const px = Math.round(x * scale), py = c.height - 1 - Math.round(y * scale);
    const hit = this.renderer.pick(this.things, this.view, px, py, reach);
    const thing = this.things[hit.index];
    if (!thing) return null;
    return { thing, point: this.ray(x, y, hit.distance), distance: hit.distance };
  }
  // the point on the ray through a pixel, at a distance from the eye
  ray(x, y, distance) {
    const c = this.renderer.canvas, v = this.view, r = v.rotation;
    const nx = 2 * x / c.clientWidth - 1, ny = 1 - 2 * y / c.clientHeight;
    const d = unit([nx * v.spread[0], ny * v.spread[1], -1]);
    return add(v.eye, mul(turn(r, d), distance));
  }
  // what a hand holds that pulls at a hit; this.drag while it does
  hold(hit) {
    const body = hit.thing.body, p = this.world.pose(this.shown, body), r = rotation(p.quat);
    const rel = sub(hit.point, p.position);
    const local = [dot(rel, r.slice(0, 3)), dot(rel, r.slice(3, 6)), dot(rel, r.slice(6, 9))];
    const depth = -dot(sub(hit.point, this.view.eye), this.view.rotation.slice(6, 9));
    return { body, local, depth, to: hit.point };
  }
  pull(x, y) {
    const one = this.ray(x, y, 1), d = sub(one, this.view.eye);
    const along = -dot(d, this.view.rotation.slice(6, 9));
    this.drag.to = add(this.view.eye, mul(d, this.drag.depth / along));
    const { body, local, to } = this.drag;
    this.live.send(['drag', body, ...local, ...to].join(' '));
    this.dirty = true;
  }
  release() {
    if (this.drag) this.live.send('release');
    this.drag = null;
    this.dirty = true;
  }
  spring() {
    const p = this.world.pose(this.shown, this.drag.body), out = [];
    const from = add(p.position, turn(rotation(p.quat), this.drag.local));
    const size = .04 * this.eye.distance;
    this.world.arrow(out, from, sub(this.drag.to, from), .25 * size, [.95, .35, .3, 1],
      'spring', 0);
    return out;
  }

  // what a test can ask for without looking at pixels
  poses() {
    const k = this.model.layout;
    return [...this.frame().subarray(k.body, k.camera)];
  }
  mask(width, height) {
    const view = this.eye.view(this.frame(), width / height), frame = this.frame();
    const things = this.world.things(frame);
    const ids = this.renderer.pick(things, view, 0, 0, view.far, [width, height]);
    return { ids: [...ids].join(), things: things.map(t => [t.kind, t.id]), eye: view.eye,
      rotation: view.rotation, half: view.half };
  }
}
)js";

}  // namespace corten::view::page
