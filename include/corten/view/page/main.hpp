// SPDX-License-Identifier: Apache-2.0
//
// The page: where it begins, and the connection of a live page to its server. Frames arrive as one
// endless answer: records of a kind (one word), a length in bytes (one word), and so many bytes.
#pragma once

namespace corten::view::page {

inline constexpr char main[] = R"js(
class Live {
  constructor(app) {
    this.app = app;
    this.connected = false;
    this.waiting = [];
    this.busy = false;
  }
  // commands of one kind replace each other while an answer is due
  send(command) {
    const [verb, which] = command.split(' ');
    const same = c => c.split(' ')[0] === verb && (verb !== 'ctrl' && verb !== 'qpos' ||
      c.split(' ')[1] === which);
    if (verb !== 'step') this.waiting = this.waiting.filter(c => !same(c));
    this.waiting.push(command);
    this.flush();
  }
  async flush() {
    if (this.busy || !this.waiting.length) return;
    this.busy = true;
    const body = this.waiting.splice(0).join('\n');
    try { await fetch('do', { method: 'POST', body }); } catch { this.connected = false; }
    this.busy = false;
    this.flush();
  }

  async run() {
    for (;;) {
      try { await this.read(); } catch { /* the server is gone, or starts again */ }
      if (this.connected) this.app.say('The simulation has ended',
        'The page keeps what it has seen, and goes on if the connection comes back. ' +
        'A simulation that is started again has another address.');
      this.connected = false;
      this.app.dirty = true;
      await new Promise(later => setTimeout(later, 1000));
    }
  }
  async read() {
    const answer = await fetch('frames', { cache: 'no-store' });
    if (!answer.ok) return;
    const reader = answer.body.getReader();
    let rest = new Uint8Array(0);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const all = new Uint8Array(rest.length + value.length);
      all.set(rest);
      all.set(value, rest.length);
      rest = await this.records(all);
    }
  }
  // takes the complete records and returns what is left
  async records(bytes) {
    let at = 0;
    while (bytes.length - at >= 8) {
      const view = new DataView(bytes.buffer, bytes.byteOffset + at);
      const size = view.getUint32(4, true);
      if (bytes.length - at - 8 < size) break;
      await this.record(view.getUint32(0, true), bytes.slice(at + 8, at + 8 + size));
      at += 8 + size;
    }
    return bytes.slice(at);
  }
  async record(kind, body) {
    const { app } = this;
    this.connected = true;
    if (kind === 0 && app.world) {
      app.world.film.push(new Float32Array(body.buffer));
      app.time = app.world.film.end;
    } else if (kind === 1) {  // another model
      app.say();
      await app.open(body);
    } else if (kind === 2) {
      const text = new TextDecoder().decode(body);
      text ? app.say('The file has errors', text) : app.say();
    } else if (kind === 3) {
      app.setPlaying(body[0] === 49);  // '1'
    }
    app.dirty = true;
  }
}

// base64 to bytes, also where fetch of data: is not allowed
async function decode(text) {
  const raw = atob(text.trim()), out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

const app = window.corten = new App();
(async () => {
  if (!app.renderer.gl) {
    app.say('No WebGL 2', 'This browser cannot draw three-dimensional scenes.');
    return;
  }
  connectBar(app);
  connectKeys(app);
  connectPointer(app);
  requestAnimationFrame(t => app.loop(t));
  app.panel(window.innerWidth > 1000);
  const data = $('data');
  if (data) {
    $('take').hidden = !$('simulator');
    await app.open(await decode(data.textContent));
    app.setPlaying(!window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  } else {
    app.live = new Live(app);
    app.live.run();
  }
  if (location.hash === '#check') check(app);
})();
)js";

}  // namespace corten::view::page
