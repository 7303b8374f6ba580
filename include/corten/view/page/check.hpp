// SPDX-License-Identifier: Apache-2.0
//
// The page: how a test uses it. With #check in its address the page works its own controls and
// sends what happened to the server that it came from. tests/view/browser_test.cpp compares it with
// the simulation.
#pragma once

namespace corten::view::page {

inline constexpr char check[] = R"js(
const pause = ms => new Promise(later => setTimeout(later, ms));

function point(kind, x, y, more = {}) {
  $('view').dispatchEvent(new PointerEvent(kind, { pointerId: 1, clientX: x, clientY: y,
    button: 0, buttons: 1, bubbles: true, ...more }));
}
function type(key) { document.dispatchEvent(new KeyboardEvent('keydown', { key })); }

async function checkRecording(app, out) {
  const { film } = app.world, before = app.eye.azimuth;
  app.setPlaying(false);
  out.shots = [0, .5, 1].map(share => {
    $('scrub').value = 1000 * share;
    $('scrub').oninput();
    app.draw();
    return { time: app.shown[0], poses: app.poses() };
  });
  app.start();
  app.setPlaying(true);
  out.played = await until(() => app.time > film.start);
  app.setPlaying(false);
  app.start();
  app.draw();
  out.mask = app.mask(120, 90);
  point('pointerdown', 100, 100);
  point('pointermove', 140, 100);
  point('pointerup', 140, 100);
  out.turned = app.eye.azimuth !== before;
  type('c');
  type('x');
  app.seek(film.end);
  app.draw();
  out.contacts = app.things.filter(t => t.kind === 'contact').length;
  out.forces = app.things.filter(t => t.kind === 'force').length;
  type('0');
  app.draw();
  out.without = app.things.filter(t => t.kind === 'geom').length;
  type('0');
  out.plots = document.querySelectorAll('.plot').length;
}

// waits for what is to happen, however slow the machine is; false when it never does
async function until(happened) {
  for (const begin = Date.now(); Date.now() - begin < 120000;) {
    if (happened()) return true;
    await pause(30);
  }
  return false;
}

async function checkLive(app, out, sent = true) {
  const newest = () => app.frame();
  await until(() => app.shown && app.playing && app.world.film.frames.length >= 10);
  out.frames = app.world.film.frames.length;
  const input = document.querySelector('#controls input');
  input.value = .5;
  input.oninput();
  app.draw();
  const start = app.world.pose(app.shown, 1).position;
  const [x, y] = project(app.view, start, $('view').clientWidth, $('view').clientHeight);
  const hit = app.at(x, y);
  out.hit = hit ? hit.thing.body : -1;
  point('pointerdown', x, y, { ctrlKey: true });
  for (let k = 1; k <= 10; k++) {
    point('pointermove', x + 6 * k, y - 3 * k, { ctrlKey: true });
    await pause(20);
  }
  // sideways: down it falls by itself
  const aside = () => {
    const d = sub(app.world.pose(newest(), 1).position, start);
    return Math.hypot(d[0], d[1]);
  };
  await until(() => aside() > .02);
  out.moved = aside();
  point('pointerup', x, y);
  await until(() => !app.drag);
  $('play').click();
  await until(() => !app.playing);
  out.playing = app.playing;
  let last = newest(), same = 0;  // a running simulation never sends one time five times
  if (sent) {
    out.held = await until(() => {
      const now = newest();
      if (now !== last) same = now[0] === last[0] ? same + 1 : 0;
      last = now;
      return same >= 5;
    });
  }
  out.ctrl = newest()[app.model.layout.ctrl];
}

// a recording that goes on by itself: first step by step, then pulled and steered, then back
async function checkLocal(app, out) {
  app.setPlaying(false);
  const { film } = app.world;
  app.seek(film.frames[10][0]);
  await takeOver(app);
  app.setPlaying(false);
  app.live.resume(10);
  for (let k = 0; k < 50; k++) $('step').click();
  app.draw();
  out.poses = app.poses();
  $('play').click();
  out.resumed = app.playing;
  await checkLive(app, out, false);  // a page does not send itself frames while it is paused
  app.start();
  out.reset = app.frame()[0];
  await takeOver(app);
  out.back = app.world.film === film;
}

async function check(app) {
  const out = { title: app.model ? app.model.title : '', errors: [] };
  window.onerror = message => { out.errors.push(String(message)); };
  try {
    await (app.live ? checkLive : $('simulator') ? checkLocal : checkRecording)(app, out);
  } catch (e) { out.errors.push(String(e)); }
  out.gl = app.renderer.gl.getError();
  await fetch('do', { method: 'POST', body: `check ${JSON.stringify(out)}` });
}
)js";

}  // namespace corten::view::page
