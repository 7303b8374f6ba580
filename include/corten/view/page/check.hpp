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
  for (let k = 0; k < 100 && app.time === film.start; k++) await pause(50);
  out.played = app.time > film.start;
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

async function checkLive(app, out) {
  while (!app.shown || app.world.film.frames.length < 10) await pause(50);
  out.frames = app.world.film.frames.length;
  const input = document.querySelector('#controls input');
  input.value = .5;
  input.oninput();
  const start = app.world.pose(app.shown, 1).position;
  const [x, y] = project(app.view, start, $('view').clientWidth, $('view').clientHeight);
  app.draw();
  const hit = app.at(x, y);
  out.hit = hit ? hit.thing.body : -1;
  point('pointerdown', x, y, { ctrlKey: true });
  for (let k = 1; k <= 10; k++) {
    point('pointermove', x + 6 * k, y - 3 * k, { ctrlKey: true });
    await pause(60);
  }
  out.moved = len(sub(app.world.pose(app.shown, 1).position, start));
  point('pointerup', x, y);
  await pause(100);
  $('play').click();
  for (let k = 0; k < 100 && app.playing; k++) await pause(50);
  out.playing = app.playing;
  await pause(200);
  const at = app.shown[0];
  await pause(300);
  out.held = app.shown[0] === at;
  out.ctrl = app.shown[app.model.layout.ctrl];
}

async function check(app) {
  const out = { title: app.model ? app.model.title : '', errors: [] };
  window.onerror = message => { out.errors.push(String(message)); };
  try {
    await (app.live ? checkLive : checkRecording)(app, out);
  } catch (e) { out.errors.push(String(e)); }
  out.gl = app.renderer.gl.getError();
  await fetch('do', { method: 'POST', body: `check ${JSON.stringify(out)}` });
}
)js";

}  // namespace corten::view::page
