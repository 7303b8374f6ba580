// SPDX-License-Identifier: Apache-2.0
//
// The page: curves over time, with a mark at the time that is shown.
#pragma once

namespace corten::view::page {

inline constexpr char plots[] = R"js(
// all numbers of a frame that can be plotted, by name
function seriesOf(model) {
  const out = [{ name: 'energy', at: null, labels: ['total', 'potential', 'kinetic'],
    read: (f, k) => k === 0 ? f[2] + f[3] : f[1 + k] },
  { name: 'ncon', labels: ['contacts'], read: f => f[1] }];
  const block = (name, first, labels) => out.push({ name, labels, read: (f, k) => f[first + k] });
  model.joints.forEach((j, i) => {
    const label = j.name || `joint ${i}`, l = model.layout;
    if (j.type === 0) block(`${label} position`, l.qpos + j.qpos, ['x', 'y', 'z']);
    if (j.type === 0) block(`${label} velocity`, l.qvel + j.dof, ['x', 'y', 'z']);
    if (j.type >= 2) block(label, l.qpos + j.qpos, ['position']);
    if (j.type >= 2) block(`${label} velocity`, l.qvel + j.dof, ['velocity']);
  });
  model.sensors.forEach((s, i) => {
    const labels = s.dim === 3 ? ['x', 'y', 'z'] : [...Array(s.dim).keys()].map(String);
    block(s.name || `sensor ${i}`, model.layout.sensor + s.at, s.dim === 1 ? ['value'] : labels);
  });
  model.controls.forEach(c => block(`${c.name} control`, model.layout.ctrl + c.ctrl, ['control']));
  return out;
}

const curveColours = ['#d9622b', '#2f7fc1', '#3a9a5c', '#9a5fc0', '#c2a022', '#c04f7a', '#5b6b7b'];

class Plot {
  constructor(series, app) {
    this.series = series;
    this.app = app;
    const box = this.box = document.createElement('div');
    box.className = 'plot card';
    const head = document.createElement('h2'), values = document.createElement('span');
    const close = document.createElement('button');
    head.append(series.name, values, close);
    values.className = 'num';
    close.textContent = '×';
    close.setAttribute('aria-label', `close the plot of ${series.name}`);
    close.onclick = () => app.togglePlot(series);
    this.values = values;
    this.canvas = document.createElement('canvas');
    box.append(head, this.canvas);
    this.canvas.onpointerdown = e => this.seek(e);
    this.canvas.onpointermove = e => { if (e.buttons) this.seek(e); };
  }
  range() {
    const { film } = this.app.world;
    return [this.app.model.live ? Math.max(film.start, film.end - 10) : film.start, film.end];
  }
  seek(e) {
    if (this.app.model.live) return;
    const box = this.canvas.getBoundingClientRect(), [t0, t1] = this.range();
    this.app.seek(t0 + clamp((e.clientX - box.left) / box.width, 0, 1) * (t1 - t0));
  }
  draw(time) {
    const { film } = this.app.world, frames = film.frames, { read, labels } = this.series;
    const scale = window.devicePixelRatio || 1, c = this.canvas;
    const w = c.clientWidth, h = c.clientHeight, g = c.getContext('2d');
    if (c.width !== Math.round(w * scale)) c.width = Math.round(w * scale);
    if (c.height !== Math.round(h * scale)) c.height = Math.round(h * scale);
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, w, h);
    if (frames.length < 2) return;
    const [t0, t1] = this.range(), first = film.index(t0);
    const every = Math.ceil((frames.length - first) / (2 * w));
    let low = Infinity, high = -Infinity;
    for (let i = first; i < frames.length; i++) for (let k = 0; k < labels.length; k++) {
      const y = read(frames[i], k);
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
    if (!(high - low > 1e-9 * Math.max(1, Math.abs(high)))) [low, high] = [low - .5, high + .5];
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--soft');
    const x = t => (t - t0) / Math.max(t1 - t0, 1e-9) * w;
    const y = v => 3 + (high - v) / (high - low) * (h - 6);
    g.strokeStyle = ink;
    g.globalAlpha = .25;
    g.lineWidth = 1;
    g.beginPath();
    for (const v of [low, high, low < 0 && high > 0 ? 0 : low]) {
      g.moveTo(0, y(v));
      g.lineTo(w, y(v));
    }
    g.stroke();
    g.globalAlpha = 1;
    g.lineWidth = 1.5;
    labels.forEach((label, k) => {
      g.strokeStyle = curveColours[k % curveColours.length];
      g.beginPath();
      for (let i = first; i < frames.length; i += every) {
        g.lineTo(x(frames[i][0]), y(read(frames[i], k)));
      }
      g.stroke();
    });
    const now = frames[film.index(time)];
    g.strokeStyle = ink;
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(x(time), 0);
    g.lineTo(x(time), h);
    g.stroke();
    g.fillStyle = ink;
    g.font = '10px system-ui, sans-serif';
    g.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--solid');
    g.lineWidth = 3;
    for (const [text, at] of [[short(high), 11], [short(low), h - 4]]) {
      g.strokeText(text, 2, at);  // a rim, where curves cross it
      g.fillText(text, 2, at);
    }
    this.values.replaceChildren(...labels.slice(0, 4).flatMap((label, k) => {
      const one = document.createElement('b');
      one.style.color = curveColours[k % curveColours.length];
      one.style.fontWeight = 500;
      one.textContent = `${labels.length > 1 ? label + ' ' : ''}${short(read(now, k))}  `;
      return [one];
    }));
  }
}
const short = x => Number.isInteger(x) && Math.abs(x) < 1e5 ? String(x)
  : Math.abs(x) >= 1e5 || x !== 0 && Math.abs(x) < 1e-3 ? x.toExponential(1)
  : x.toFixed(Math.abs(x) >= 100 ? 0 : Math.abs(x) >= 10 ? 1 : 2);
)js";

}  // namespace corten::view::page
