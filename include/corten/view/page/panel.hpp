// SPDX-License-Identifier: Apache-2.0
//
// The page: the panel, the bar below the picture, and what keys and gestures do.
#pragma once

namespace corten::view::page {

inline constexpr char panel[] = R"js(
const keyHelp = [['space', 'play or pause'], ['← →', 'one frame back or on'],
  ['Home', 'to the start'], ['- +', 'slower, faster'], ['c', 'contacts'], ['x', 'forces'],
  ['j', 'joints'], ['t', 'transparent bodies'], ['0 … 5', 'groups of geoms'],
  ['[ ]', 'previous or next camera'], ['f', 'frame the model'], ['p', 'panel'],
  ['d', 'light or dark'], ['drag', 'turn the view'], ['right drag, two fingers', 'move it'],
  ['wheel, pinch', 'closer or farther'], ['double click', 'follow a body']];
const liveHelp = ['ctrl drag, touch and hold', 'pull a body'];

function chip(text, pressed, act) {
  const b = document.createElement('button');
  b.className = 'chip';
  b.textContent = text;
  b.setAttribute('aria-pressed', pressed);
  b.onclick = () => act(b);
  return b;
}

// The chips stay while they change: a focus in the panel is not lost.
function fillFlags(app) {
  const { flags, groups } = app.world;
  app.chips = [];
  const toggle = (text, list, key) => {
    const b = chip(text, list[key], () => {
      list[key] = !list[key];
      markFlags(app);
      app.dirty = true;
    });
    app.chips.push([b, list, key]);
    return b;
  };
  const known = Object.keys(flags).filter(k => (app.model[k] || {}).length !== 0);
  $('flags').replaceChildren(...known.map(name => toggle(name, flags, name)));
  const rows = Object.keys(groups).filter(k => k === 'geoms' || app.model[k].length);
  $('groups').replaceChildren(...rows.flatMap(kind => {
    const label = document.createElement('span');
    label.textContent = kind;
    return [label, ...groups[kind].map((on, g) => {
      const b = toggle(g, groups[kind], g);
      b.title = `${kind} of group ${g}`;
      return b;
    })];
  }));
}
function markFlags(app) {
  for (const [b, list, key] of app.chips) b.setAttribute('aria-pressed', list[key]);
}

function options(select, list, value) {
  select.replaceChildren(...list.map(([v, text]) => {
    const o = document.createElement('option');
    o.value = v;
    o.textContent = text;
    return o;
  }));
  select.value = value;
}

// a slider with its name and value; `act` gets the number while it is moved
function slider(name, low, high, act) {
  const box = document.createElement('label'), b = document.createElement('b');
  const out = document.createElement('output'), input = document.createElement('input');
  box.className = 'slide';
  b.textContent = name;
  b.title = name;
  out.className = 'num';
  Object.assign(input, { type: 'range', min: low, max: high, step: (high - low) / 1000 });
  input.setAttribute('aria-label', name);
  const show = x => {
    input.style.setProperty('--at', `${100 * clamp((x - low) / (high - low), 0, 1)}%`);
    out.textContent = short(x);
  };
  let held = 0;
  input.oninput = () => {
    held = performance.now();
    show(+input.value);
    act(+input.value);
  };
  box.append(b, out, input);
  // the hand of the user wins over the numbers that arrive
  box.set = x => {
    if (performance.now() - held < 400) return;
    input.value = x;
    show(x);
  };
  return box;
}

function fillSliders(app) {
  const { model } = app, l = model.layout;
  app.sliders = [];
  const add = (into, box, index) => {
    into.append(box);
    app.sliders.push([box, index]);
  };
  const clear = (id, any) => {
    const section = $(id), body = section.querySelector('.body');
    section.hidden = !any;
    body.replaceChildren();
    return body;
  };
  const keys = clear('keyframes', model.live && model.keys.length);
  model.keys.forEach((name, k) => keys.append(chip(name || `key ${k}`, false, () =>
    app.live.send(`key ${k}`))));
  const controls = clear('controls', model.live && model.controls.length);
  $('controls').open = model.live && model.controls.length < 30;
  for (const c of model.controls) {
    const [low, high] = c.limited ? c.range : [-1, 1];
    add(controls, slider(c.name, low, high, x => app.live.send(`ctrl ${c.ctrl} ${x}`)),
      l.ctrl + c.ctrl);
  }
  if (model.controls.length) {
    const none = document.createElement('button');
    none.className = 'wide';
    none.textContent = 'all to zero';
    none.onclick = () => model.controls.forEach(c => app.live.send(`ctrl ${c.ctrl} 0`));
    controls.append(none);
  }
  const moving = model.joints.filter(j => j.type >= 2);
  const joints = clear('joints', model.live && moving.length);
  moving.forEach((j, i) => {
    const [low, high] = j.limited ? j.range : j.type === 3 ? [-Math.PI, Math.PI] :
      [-model.extent, model.extent];
    const name = j.name || `joint ${i}`;
    add(joints, slider(name, low, high, x => app.live.send(`qpos ${j.qpos} ${x}`)),
      l.qpos + j.qpos);
  });
}

function markSeries(app) {
  document.querySelectorAll('#series button').forEach(b => {
    const on = app.plots.has(b.dataset.name);
    b.setAttribute('aria-pressed', on);
    b.querySelector('i').style.background = on ? 'var(--accent)' : '';
  });
}

function fillPanel(app) {
  const { model, eye } = app;
  fillFlags(app);
  options($('camera'), [[-1, 'free'], ...model.cameras.map((c, i) => [i, c.name || `camera ${i}`])],
    -1);
  options($('follow'), [[0, 'nothing'], ...model.bodies.map((b, i) => [i, b.name || `body ${i}`])
    .filter(([i]) => i > 0 && !model.bodies[i].fixed)], 0);
  $('camera').onchange = () => { eye.fixed = +$('camera').value; app.dirty = true; };
  $('follow').onchange = () => follow(app, +$('follow').value);
  options($('speed'), speeds.map(s => [s, `${s}×`]), 1);
  $('speed').onchange = () => app.setSpeed(+$('speed').value);
  fillSliders(app);
  $('series').querySelector('.list').replaceChildren(...app.series.map(s => {
    const b = document.createElement('button');
    b.dataset.name = s.name;
    b.append(document.createElement('i'), s.name);
    b.onclick = () => app.togglePlot(s);
    return b;
  }));
  const help = [...keyHelp, ...model.live ? [liveHelp] : [],
    ...$('take').hidden ? [] : [['s', 'simulate from here, or back to the recording']]];
  $('keys').replaceChildren(...help.flatMap(([key, what]) => {
    const k = document.createElement('kbd'), w = document.createElement('span');
    k.textContent = key;
    w.textContent = what;
    const cell = document.createElement('span');
    cell.append(k);
    return [cell, w];
  }));
  $('scrub').style.display = model.live ? 'none' : '';
  $('bar').style.width = model.live ? 'max-content' : '';
}

function follow(app, body) {
  app.eye.follow = body;
  app.eye.last = null;
  app.world.highlight = -1;
  $('follow').value = body;
  if (body) app.eye.last = app.world.com(app.shown, body);
  app.dirty = true;
}

function showTime(app, frame) {
  const { film } = app.world, live = app.model.live, t = frame[0];
  $('time').textContent = `${t.toFixed(2)} s`;
  if (!live) {
    const total = document.createElement('small');
    total.textContent = ` / ${film.end.toFixed(2)}`;
    $('time').append(total);
    const at = 1000 * (t - film.start) / Math.max(film.end - film.start, 1e-9);
    $('scrub').value = at;
    $('scrub').style.setProperty('--at', `${at / 10}%`);
  }
  const some = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
  const dofs = some(app.model.layout.nv, 'dof'), contacts = some(frame[1], 'contact');
  const line = $('title').querySelector('p');
  if (live) {
    const word = document.createElement('span');
    word.className = 'live';
    const { connected } = app.live;
    word.classList.toggle('lost', !connected);
    word.textContent = !connected ? '○ lost' : app.playing ? '● live' : '❚❚ paused';
    const rate = app.playing && connected ? `${(frame[4] || 0).toFixed(2)}× real time · ` : '';
    line.replaceChildren(word, ` ${rate}${contacts}`);
    app.sliders.forEach(([box, index]) => box.set(frame[index]));
  } else {
    line.textContent = `${dofs} · ${contacts}`;
  }
}

function connectBar(app) {
  $('play').onclick = () => app.toggle();
  $('reset').onclick = () => app.start();
  $('step').onclick = () => app.step(1);
  $('take').onclick = () => takeOver(app);
  $('scrub').oninput = () => {
    const { film } = app.world;
    app.setPlaying(false);
    app.seek(film.start + $('scrub').value / 1000 * (film.end - film.start));
  };
  $('theme').onclick = () => {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    app.dirty = true;
  };
  $('frame').onclick = () => { app.eye.home(true); app.eye.fixed = -1; $('camera').value = -1;
    app.dirty = true; };
  const panel = on => {
    $('panel').hidden = !on;
    $('open').hidden = on;
    $('open').style.display = on ? 'none' : '';
  };
  $('open').onclick = () => panel(true);
  $('close').onclick = () => panel(false);
  app.panel = panel;
}

function connectKeys(app) {
  const flag = name => { app.world.flags[name] = !app.world.flags[name]; markFlags(app); };
  const camera = by => {
    const n = app.model.cameras.length + 1;
    app.eye.fixed = (app.eye.fixed + 1 + by + n) % n - 1;
    $('camera').value = app.eye.fixed;
  };
  const faster = by => app.setSpeed(speeds[clamp(speeds.indexOf(app.speed) + by, 0,
    speeds.length - 1)]);
  const act = { ' ': () => app.toggle(), ArrowRight: () => app.step(1),
    ArrowLeft: () => app.step(-1), Home: () => app.start(), '-': () => faster(-1),
    '+': () => faster(1), '=': () => faster(1), c: () => flag('contacts'), x: () => flag('forces'),
    j: () => flag('joints'), t: () => flag('transparent'), '[': () => camera(-1),
    ']': () => camera(1), f: () => $('frame').click(), p: () => app.panel($('panel').hidden),
    d: () => $('theme').click(), s: () => { if (!$('take').hidden) takeOver(app); },
    Escape: () => follow(app, 0) };
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || !app.world) return;
    if (['INPUT', 'SELECT'].includes(e.target.tagName) && e.key !== ' ') return;
    if (e.target.tagName === 'BUTTON' && e.key === ' ') return;
    if (/^[0-5]$/.test(e.key)) {
      app.world.groups.geoms[+e.key] = !app.world.groups.geoms[+e.key];
      markFlags(app);
    } else if (act[e.key]) act[e.key]();
    else return;
    e.preventDefault();
    app.dirty = true;
  });
}

function connectPointer(app) {
  const view = $('view'), held = new Map();
  const spread = () => {
    const [a, b] = [...held.values()];
    return [Math.hypot(a.x - b.x, a.y - b.y), (a.x + b.x) / 2, (a.y + b.y) / 2];
  };
  // the body at a point, if there is one that can be pulled
  const grab = (x, y) => {
    const hit = app.at(x, y);
    return hit && hit.thing.body && !app.model.bodies[hit.thing.body].fixed ? app.hold(hit) : null;
  };
  let waiting = 0;  // for a finger that stays where it is
  view.oncontextmenu = e => e.preventDefault();
  view.onpointerdown = e => {
    if (!app.view) return;
    clearTimeout(waiting);
    view.setPointerCapture(e.pointerId);
    held.set(e.pointerId, { x: e.clientX, y: e.clientY });
    view.classList.add('moving');
    view.focus({ preventScroll: true });
    if (!app.model.live) return;
    if ((e.ctrlKey || e.metaKey) && e.button === 0) app.drag = grab(e.clientX, e.clientY);
    else if (e.pointerType === 'touch' && held.size === 1) {
      const body = grab(e.clientX, e.clientY);
      waiting = setTimeout(() => { app.drag = body; app.dirty = true; }, 350);
    }
  };
  view.onpointermove = e => {
    const last = held.get(e.pointerId);
    if (!last) return;
    const dx = e.clientX - last.x, dy = e.clientY - last.y;
    if (Math.hypot(dx, dy) > 3) clearTimeout(waiting);
    if (app.drag) return app.pull(e.clientX, e.clientY);
    if (app.eye.fixed >= 0) {
      app.eye.fixed = -1;
      $('camera').value = -1;
    }
    if (held.size === 2) {
      const [d0, x0, y0] = spread();
      held.set(e.pointerId, { x: e.clientX, y: e.clientY });
      const [d1, x1, y1] = spread();
      app.eye.zoom(d0 / Math.max(d1, 1));
      app.eye.pan(x1 - x0, y1 - y0, view.clientHeight);
    } else {
      held.set(e.pointerId, { x: e.clientX, y: e.clientY });
      e.buttons & 2 || e.shiftKey ? app.eye.pan(dx, dy, view.clientHeight) : app.eye.orbit(dx, dy);
    }
    app.dirty = true;
  };
  view.onpointerup = view.onpointercancel = e => {
    clearTimeout(waiting);
    held.delete(e.pointerId);
    view.classList.remove('moving');
    app.release();
  };
  view.addEventListener('wheel', e => {
    e.preventDefault();
    app.eye.zoom(Math.exp(clamp(e.deltaY, -200, 200) * .0015));
    app.dirty = true;
  }, { passive: false });
  view.ondblclick = e => {
    const hit = app.at(e.clientX, e.clientY);
    const body = hit ? hit.thing.body : 0;
    const moves = body && !app.model.bodies[body].fixed;
    follow(app, moves ? body : 0);
    const tip = $('tip');
    tip.textContent = moves ? `following ${app.model.bodies[body].name || `body ${body}`}` : '';
    tip.hidden = !moves;
    tip.style.left = `${e.clientX + 12}px`;
    tip.style.top = `${e.clientY + 12}px`;
    setTimeout(() => { tip.hidden = true; }, 1500);
  };
  window.addEventListener('resize', () => { app.dirty = true; });
}
)js";

}  // namespace corten::view::page
