// SPDX-License-Identifier: Apache-2.0
//
// The page: the simulator in it. A page that carries the simulator as WebAssembly
// (examples/corten/wasm/simulator.cpp) can leave its recording at any time and go on by itself:
// Local then stands where the connection to a server would (Live), and takes the same commands.
#pragma once

namespace corten::view::page {

inline constexpr char local[] = R"js(
class Local {
  constructor(app) {
    this.app = app;
    this.connected = true;
    this.speed = 1;
    this.rate = { time: 0, at: 0, value: 0 };
  }

  // Returns what is wrong, if anything. The simulator needs nothing of its surroundings; what its
  // libraries would call (files, the end of the program) does nothing here.
  async load(wasm) {
    const { model } = this.app, { at, size } = model.simulator;
    const module = await WebAssembly.compile(wasm), imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      imports[from] = imports[from] || {};
      imports[from][name] = () => name.startsWith('fd_') ? 8 : 0;
    }
    this.sim = (await WebAssembly.instantiate(module, imports)).exports;
    if (this.sim._initialize) this.sim._initialize();
    if (this.sim.load(this.put(model.bytes.subarray(at, at + size)))) return '';
    const text = new Uint8Array(this.sim.memory.buffer, this.sim.problem());
    return new TextDecoder().decode(text.subarray(0, text.indexOf(0)));
  }
  // writes bytes where the simulator reads them; its memory moves when it grows
  put(bytes) {
    const at = this.sim.room(bytes.length);
    new Uint8Array(this.sim.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }

  // goes on from a frame of the recording
  resume(index) {
    const { app } = this, { states, width } = app.model.simulator;
    const from = states + 8 * width * index;
    this.sim.resume(this.put(app.model.bytes.subarray(from, from + 8 * width)));
    this.restart();
  }
  restart() {
    this.target = this.sim.time();
    this.rate.at = 0;
    this.show();
  }

  send(command) {
    const [verb, x] = command.split(' ');
    if (verb === 'run' || verb === 'pause') this.app.setPlaying(verb === 'run');
    else if (verb === 'speed') this.speed = +x;
    else if (verb === 'reset') this.resume(0);
    else if (verb === 'step') {
      this.app.setPlaying(false);
      this.target = this.sim.step();
      this.show();
    } else {
      this.sim.obey(this.put(new TextEncoder().encode(command)));
      if (verb === 'key') this.restart();
      else if (verb !== 'drag' && verb !== 'release') this.show();
    }
  }

  // Steps up to the time that has come, but not longer than half of the time that has passed since
  // the last picture, or than a picture lasts: a model that is too slow for real time does not run
  // after it, and one that is slow to draw keeps to it.
  tick(passed) {
    if (!this.app.playing) return;
    const begin = performance.now(), longest = Math.max(14, 500 * passed);
    this.target += passed * this.speed;
    let time = this.sim.time();
    try {
      while (time < this.target) {
        time = this.sim.step();
        if (performance.now() - begin > longest) this.target = Math.min(this.target, time);
      }
    } catch (e) {  // it ran out of memory, say
      this.app.setPlaying(false);
      return this.app.say('The simulation has stopped', e.message);
    }
    const now = begin / 1000, r = this.rate;
    if (now - r.at > .5) {
      r.value = now - r.at < 2 && time >= r.time ? (time - r.time) / (now - r.at) : 0;
      r.at = now;
      r.time = time;
    }
    this.show();
  }
  show() {
    const at = this.sim.frame();
    const frame = new Float32Array(this.sim.memory.buffer, at, this.sim.frame_size()).slice();
    frame[4] = this.rate.value;
    this.app.world.film.push(frame);
    this.app.time = frame[0];
    this.app.dirty = true;
  }
}

// From the recording to the simulation and back.
async function takeOver(app) {
  const { world, model } = app;
  if (model.live) {
    app.release();
    app.live = null;
    model.live = false;
    [world.film, app.time] = app.recording;
    app.setPlaying(false);
  } else {
    const local = app.local || new Local(app);
    if (!app.local) {
      let problem;
      try { problem = await local.load(await decode($('simulator').textContent)); } catch (e) {
        problem = e.message;
      }
      if (problem) return app.say('The simulator does not start', problem);
    }
    app.local = local;
    const index = world.film.index(app.time);
    app.recording = [world.film, app.time];
    app.live = app.local;
    model.live = true;
    world.film = new Film({});
    app.live.resume(index);
    app.setPlaying(true);
  }
  $('take').setAttribute('aria-pressed', model.live);
  fillPanel(app);
  app.setSpeed(1);
  app.dirty = true;
}
)js";

}  // namespace corten::view::page
