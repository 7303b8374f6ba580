// SPDX-License-Identifier: Apache-2.0
//
// The page: its elements. Lists such as joints and controls are filled in by the script.
#pragma once

namespace corten::view::page {

inline constexpr char markup[] = R"html(
<canvas id="view" tabindex="0" aria-label="the model in three dimensions"></canvas>
<div id="title" class="card"><h1></h1><p class="num"></p></div>
<div id="plots"></div>
<button id="open" class="card" aria-label="open the panel" title="Panel (p)">
 <svg viewBox="0 0 24 24"><path d="M4 6h10v2H4zm12 0h4v2h-4zM4 11h4v2H4zm6 0h10v2H10zM4
  16h10v2H4zm12 0h4v2h-4z"/></svg></button>
<aside id="panel" class="card" hidden>
 <header><button id="close" aria-label="close the panel" title="Close (p)"><svg
  viewBox="0 0 24 24"><path d="m6.4 5 5.6 5.6L17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4
  19 5 17.6l5.6-5.6L5 6.4z"/></svg></button></header>
 <details open><summary>Show</summary><div class="body"><div class="chips" id="flags"></div>
  <div class="groups" id="groups"></div></div></details>
 <details open><summary>Camera</summary><div class="body">
  <label class="row">look<select id="camera"></select></label>
  <label class="row">follow<select id="follow"></select></label></div></details>
 <details id="keyframes" hidden><summary>Keyframes</summary><div class="body chips"></div></details>
 <details id="controls" hidden><summary>Controls</summary><div class="body"></div></details>
 <details id="joints" hidden><summary>Joints</summary><div class="body"></div></details>
 <details id="series"><summary>Plots</summary><div class="body"><div class="list"></div></div>
 </details>
 <details><summary>Keys and gestures</summary><div class="body keys" id="keys"></div></details>
</aside>
<div id="bar" class="card">
 <button id="reset" aria-label="to the start" title="To the start (Home)"><svg viewBox="0 0 24 24">
  <path d="M6 5h2v14H6zm12 0v14l-9-7z"/></svg></button>
 <button id="play" aria-label="play" title="Play or pause (space)"><svg viewBox="0 0 24 24">
  <path d="M8 5v14l11-7z"/></svg></button>
 <button id="step" aria-label="one step" title="One step (→)"><svg viewBox="0 0 24 24">
  <path d="M6 5v14l9-7zm10 0h2v14h-2z"/></svg></button>
 <button id="take" aria-pressed="false" aria-label="simulate from here" hidden
  title="Simulate from here, or back to the recording (s)"><svg viewBox="0 0 24 24"><path d="M13 2 5
  13h5l-1 9 8-12h-5z"/></svg></button>
 <input id="scrub" type="range" min="0" max="1000" value="0" step="any" aria-label="time">
 <span id="time" class="num"></span>
 <span class="sep"></span>
 <select id="speed" aria-label="speed" title="Speed (- and +)"></select>
 <button id="theme" class="far" aria-label="light or dark" title="Light or dark (d)"><svg
  viewBox="0 0 24 24"><path d="M12 3a9 9 0 1 0 0 18zm0 2v14a7 7 0 0 0 0-14z"/></svg></button>
 <button id="frame" aria-label="frame the model" title="Frame the model (f)"><svg
  viewBox="0 0 24 24"><path d="M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14
  0h2v6h-6v-2h4zM9 9h6v6H9z"/></svg></button>
</div>
<div id="message" class="card" role="alert" hidden><h2></h2><pre></pre></div>
<div id="tip" class="card" hidden></div>
)html";

}  // namespace corten::view::page
