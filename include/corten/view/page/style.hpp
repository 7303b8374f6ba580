// SPDX-License-Identifier: Apache-2.0
//
// The page: its style.
#pragma once

namespace corten::view::page {

inline constexpr char style[] = R"css(
:root {
  color-scheme: light dark;
  --ink: #16202b; --soft: #5b6b7b; --line: #00000018; --panel: #ffffffd9; --solid: #ffffff;
  --hover: #0000000d; --accent: #b4541f; --accent-soft: #b4541f22; --track: #00000022;
  --bad: #b3261e; --good: #2c7a4b;
}
:root[data-theme=dark] {
  --ink: #e8edf2; --soft: #98a6b3; --line: #ffffff1c; --panel: #161c23d9; --solid: #1b222a;
  --hover: #ffffff12; --accent: #f0945a; --accent-soft: #f0945a2b; --track: #ffffff2b;
  --bad: #ff8a80; --good: #7fd1a0;
}
* { box-sizing: border-box; }
html, body { margin: 0; height: 100%; overflow: hidden; }
body {
  font: 13px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  color: var(--ink); background: #8793a0; -webkit-font-smoothing: antialiased;
}
#view { position: fixed; inset: 0; width: 100%; height: 100%; display: block; touch-action: none;
  outline: none; cursor: grab; }
#view.moving { cursor: grabbing; }
.card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px;
  backdrop-filter: blur(14px) saturate(1.3); -webkit-backdrop-filter: blur(14px) saturate(1.3);
  box-shadow: 0 6px 24px #0000001f; }
button, select, input { font: inherit; color: inherit; }
button { border: 0; background: none; border-radius: 8px; cursor: pointer; padding: 0; }
button:hover { background: var(--hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.num { font-variant-numeric: tabular-nums; }

#title { position: fixed; left: 14px; top: 14px; padding: 8px 14px;
  max-width: min(calc(100vw - 120px), 420px); }
#title h1 { font-size: 14px; font-weight: 650; margin: 0; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; letter-spacing: -.01em; }
#title p { margin: 0; color: var(--soft); font-size: 12px; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; }
#title .live { color: var(--good); font-weight: 600; }
#title .lost { color: var(--bad); }

#bar { position: fixed; left: 50%; bottom: 14px; transform: translateX(-50%); display: flex;
  align-items: center; gap: 4px; padding: 6px 10px; width: min(860px, calc(100vw - 28px)); }
#bar button { width: 34px; height: 34px; display: grid; place-items: center; flex: none; }
#bar button[hidden] { display: none; }
#bar button[aria-pressed=true] { background: var(--accent-soft); color: var(--accent); }
#bar svg, #panel svg, #open svg { width: 18px; height: 18px; fill: currentColor; }
#play { background: var(--accent) !important; color: #fff; border-radius: 50% !important; }
:root[data-theme=dark] #play { color: #201008; }
#time { padding: 0 8px; flex: none; min-width: 108px; text-align: right; }
#time small { color: var(--soft); font-size: 12px; }
#scrub { flex: 1; min-width: 40px; }
#bar select { border: 0; background: none; padding: 6px 2px; border-radius: 8px; cursor: pointer; }
#bar select option { background: var(--solid); }
.sep { width: 1px; height: 20px; background: var(--line); flex: none; margin: 0 4px; }

input[type=range] { -webkit-appearance: none; appearance: none; background: none; height: 22px;
  margin: 0; cursor: pointer; width: 100%; }
input[type=range]::-webkit-slider-runnable-track { height: 4px; border-radius: 2px;
  background: linear-gradient(var(--accent) 0 0) 0/var(--at, 0%) 100% no-repeat var(--track); }
input[type=range]::-moz-range-track { height: 4px; border-radius: 2px; background: var(--track); }
input[type=range]::-moz-range-progress { height: 4px; border-radius: 2px;
  background: var(--accent); }
input[type=range]::-webkit-slider-thumb { -webkit-appearance: none; width: 14px; height: 14px;
  margin-top: -5px; border-radius: 50%; background: var(--accent); border: 2px solid var(--solid);
  box-shadow: 0 1px 3px #0005; }
input[type=range]::-moz-range-thumb { width: 10px; height: 10px; border-radius: 50%;
  background: var(--accent); border: 2px solid var(--solid); }

#open { position: fixed; right: 14px; top: 14px; width: 40px; height: 40px; display: grid;
  place-items: center; }
#panel { position: fixed; right: 14px; top: 14px; width: 288px; overflow: auto;
  max-height: calc(100vh - 90px);
  overscroll-behavior: contain; scrollbar-width: thin; transition: transform .22s, opacity .22s; }
#panel[hidden] { display: block; transform: translateX(320px); opacity: 0; pointer-events: none;
  visibility: hidden; }
#panel header { display: flex; justify-content: flex-end; position: sticky; top: 0; z-index: 1;
  padding: 6px 6px 0; pointer-events: none; }
#panel header button { width: 30px; height: 30px; display: grid; place-items: center;
  background: var(--solid); pointer-events: auto; }
#panel details { border-top: 1px solid var(--line); padding: 2px 14px; }
#panel details:first-of-type { border-top: 0; margin-top: -32px; }
#panel summary { font-weight: 600; padding: 8px 0; cursor: pointer; list-style: none; display: flex;
  align-items: center; gap: 6px; }
#panel summary::before { content: ""; width: 6px; height: 6px; border: solid var(--soft);
  border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); transition: transform .15s; }
#panel details[open] > summary::before { transform: rotate(45deg); }
#panel summary::-webkit-details-marker { display: none; }
#panel summary small { color: var(--soft); font-weight: 400; margin-left: auto; }
.body { padding: 0 0 12px; }
.chips { display: flex; flex-wrap: wrap; gap: 5px; }
.chip { padding: 3px 10px; border: 1px solid var(--line); border-radius: 99px; font-size: 12px; }
.chip[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent);
  color: var(--accent); }
.groups { display: grid; grid-template-columns: 1fr repeat(6, 24px); gap: 4px; align-items: center;
  margin-top: 10px; }
.groups span { color: var(--soft); }
.groups .chip { padding: 0; height: 22px; border-radius: 6px; text-align: center; }
label.row { display: grid; grid-template-columns: 64px 1fr; gap: 8px; align-items: center;
  margin-top: 8px; color: var(--soft); }
label.row select { width: 100%; padding: 4px 6px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--solid); color: var(--ink); }
.slide { display: grid; grid-template-columns: 1fr auto; column-gap: 8px; padding: 1px 0; }
.slide b { font-weight: 400; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.slide output { color: var(--soft); font-size: 12px; }
.slide input { grid-column: 1 / 3; }
.wide { display: block; width: 100%; padding: 5px 10px; border: 1px solid var(--line);
  margin-top: 6px; text-align: center; }
.list { max-height: 220px; overflow: auto; scrollbar-width: thin; margin: 0 -6px; }
.list button { display: flex; width: 100%; gap: 8px; text-align: left; padding: 2px 6px;
  border-radius: 6px; align-items: center; }
.list button[aria-pressed=true] { background: var(--accent-soft); }
.list i { width: 8px; height: 8px; border-radius: 50%; flex: none; border: 1px solid var(--soft); }
.note { color: var(--soft); font-size: 12px; margin: 4px 0 8px; }
kbd { font: 11px ui-monospace, SFMono-Regular, Menlo, monospace; border: 1px solid var(--line);
  border-radius: 4px; padding: 0 4px; background: var(--hover); }
.keys { display: grid; grid-template-columns: auto 1fr; gap: 4px 10px; font-size: 12px; }

#plots { position: fixed; left: 14px; bottom: 76px; width: min(340px, calc(100vw - 28px));
  display: grid; gap: 8px; pointer-events: none; }
.plot { padding: 6px 8px 4px; pointer-events: auto; }
.plot h2 { font-size: 12px; font-weight: 600; margin: 0 0 2px; display: flex; gap: 8px;
  align-items: center; }
.plot h2 span { color: var(--soft); font-weight: 400; overflow: hidden; white-space: nowrap;
  text-overflow: ellipsis; flex: 1; }
.plot h2 button { width: 18px; height: 18px; color: var(--soft); }
.plot canvas { width: 100%; height: 64px; display: block; cursor: crosshair; touch-action: none; }

#message { position: fixed; left: 50%; top: 50%; transform: translate(-50%, -50%);
  padding: 18px 22px; width: max-content;
  max-width: min(760px, calc(100vw - 40px)); max-height: 60vh; overflow: auto; }
#message[hidden] { display: none; }
#message h2 { margin: 0 0 8px; font-size: 15px; color: var(--bad); }
#message pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
#tip { position: fixed; padding: 3px 9px; font-size: 12px; pointer-events: none;
  border-radius: 8px; }
#tip[hidden] { display: none; }

@media (max-width: 640px) {
  #panel { left: 0; right: 0; top: auto; bottom: 0; width: auto; max-height: 60vh;
    border-radius: 16px 16px 0 0; z-index: 3; }
  #panel[hidden] { transform: translateY(105%); }
  #time small, #bar .far { display: none; }
  #time { min-width: 62px; margin-left: auto; }
  #bar { flex-wrap: wrap; row-gap: 0; }
  #scrub { order: -1; flex: 1 0 100%; height: 30px; }
  #plots { bottom: 106px; }
  .plot canvas { height: 44px; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
)css";

}  // namespace corten::view::page
