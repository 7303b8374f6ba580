// SPDX-License-Identifier: Apache-2.0
//
// The page: the renderer. A list of things (shape, colour, place) goes in, pixels come out.
//
// Why not a library? three.js alone is 700 kB, several times the limit for the whole page. A
// simulator's viewer needs opaque and transparent triangles, two shadow maps and picking, which is
// what follows.
#pragma once

namespace corten::view::page {

inline constexpr char renderer[] = R"js(
class Renderer {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = this.gl = canvas.getContext('webgl2', { antialias: true, alpha: false,
      preserveDrawingBuffer: true });
    if (!gl) return;
    this.programs = { main: this.link(vertexShader, fragmentShader),
      depth: this.link(vertexShader, depthShader), pick: this.link(vertexShader, pickShader),
      sky: this.link(skyVertexShader, skyFragmentShader) };
    this.buffers = new Map();
    this.sunMap = this.depthMap(2048);
    this.skyMap = this.depthMap(1024);
    this.blank = this.texture({ width: 1, height: 1, data: new Uint8Array([255, 255, 255, 255]) });
    this.empty = gl.createVertexArray();
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
  }

  link(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
        console.error(gl.getShaderInfoLog(shader));
      }
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      console.error(gl.getProgramInfoLog(program));
    }
    const at = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let i = 0; i < count; i++) {
      const name = gl.getActiveUniform(program, i).name;
      at[name] = gl.getUniformLocation(program, name);
    }
    return { program, at };
  }

  depthMap(size) {
    const gl = this.gl, texture = gl.createTexture(), frame = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
    const set = (k, v) => gl.texParameteri(gl.TEXTURE_2D, k, v);
    set(gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    set(gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    set(gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    set(gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    set(gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.readBuffer(gl.NONE);
    return { texture, frame, size };
  }

  // a picture as a texture; the first row of its pixels is the top
  texture(picture) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
    if (picture.data) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, picture.width, picture.height, 0, gl.RGBA,
        gl.UNSIGNED_BYTE, picture.data);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    }
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    const sharp = gl.getExtension('EXT_texture_filter_anisotropic');
    if (sharp) gl.texParameterf(gl.TEXTURE_2D, sharp.TEXTURE_MAX_ANISOTROPY_EXT, 8);
    return texture;
  }

  // makes a buffer of a shape, or replaces the vertices of one that moves
  buffer(shape, old) {
    const gl = this.gl, moving = old !== undefined;
    const out = old || { array: gl.createVertexArray(), vertices: gl.createBuffer(),
      indices: gl.createBuffer(), count: shape.face.length };
    const vert = shape.vert instanceof Float32Array ? shape.vert : new Float32Array(shape.vert);
    gl.bindVertexArray(out.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, out.vertices);
    gl.bufferData(gl.ARRAY_BUFFER, vert, moving ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    if (moving) return out;
    const face = shape.face instanceof Uint32Array ? shape.face : new Uint32Array(shape.face);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, out.indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, face, gl.STATIC_DRAW);
    [3, 3, 2].forEach((size, i) => {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, size, gl.FLOAT, false, 32, [0, 12, 24][i]);
    });
    gl.bindVertexArray(null);
    return out;
  }
  // the buffer of a name, made when it is first needed
  shape(name, make) {
    if (!this.buffers.has(name)) this.buffers.set(name, this.buffer(make()));
    return this.buffers.get(name);
  }

  resize() {
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    const w = Math.max(1, Math.round(this.canvas.clientWidth * scale));
    const h = Math.max(1, Math.round(this.canvas.clientHeight * scale));
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
  }

  place(at, thing) {
    const gl = this.gl;
    gl.uniformMatrix3fv(at.turned, false, thing.rotation);
    gl.uniform3fv(at.placed, thing.position);
    gl.uniform3fv(at.scaled, thing.scale);
  }
  draw(buffer) {
    this.gl.bindVertexArray(buffer.array);
    this.gl.drawElements(this.gl.TRIANGLES, buffer.count, this.gl.UNSIGNED_INT, 0);
  }

  // fills a depth map with what casts shadows, as seen along a direction
  shadows(map, direction, centre, radius, things) {
    const gl = this.gl, { program, at } = this.programs.depth, r = along(direction);
    // whole texels, so that edges do not swim when the view moves
    const texel = 2 * radius / map.size;
    const snap = [0, 3].map(k => {
      const x = dot(centre, r.slice(k, k + 3));
      return Math.round(x / texel) * texel - x;
    });
    centre = add(centre, add(mul(r.slice(0, 3), snap[0]), mul(r.slice(3, 6), snap[1])));
    const eye = add(centre, mul(direction, 4 * radius));
    const camera = multiply(orthographic(radius, radius, 0, 8 * radius), viewing(eye, r));
    gl.bindFramebuffer(gl.FRAMEBUFFER, map.frame);
    gl.viewport(0, 0, map.size, map.size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(program);
    gl.uniformMatrix4fv(at.camera, false, camera);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 3);
    gl.disable(gl.CULL_FACE);
    for (const thing of things) {
      if (!thing.shadow || thing.colour[3] < .5) continue;
      this.place(at, thing);
      this.draw(thing.buffer);
    }
    gl.enable(gl.CULL_FACE);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    return camera;
  }

  sky(view, look) {
    const gl = this.gl, { program, at } = this.programs.sky;
    gl.useProgram(program);
    gl.uniformMatrix3fv(at.turned, false, view.rotation);
    gl.uniform2fv(at.spread, view.spread);
    gl.uniform3fv(at.top, look.top);
    gl.uniform3fv(at.middle, look.middle);
    gl.uniform3fv(at.bottom, look.bottom);
    gl.bindVertexArray(this.empty);
    gl.depthMask(false);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.depthMask(true);
  }

  // view: eye, rotation, camera (matrix), spread; look: sun, colours of light and sky
  render(things, view, look) {
    const gl = this.gl, { program, at } = this.programs.main;
    const sunCamera = this.shadows(this.sunMap, look.sun, look.centre, look.radius, things);
    const skyCamera = this.shadows(this.skyMap, [0, 0, 1], look.centre, look.radius, things);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.sky(view, look);
    gl.useProgram(program);
    gl.uniformMatrix4fv(at.camera, false, view.camera);
    gl.uniformMatrix4fv(at.lightCamera, false, sunCamera);
    gl.uniformMatrix4fv(at.skyCamera, false, skyCamera);
    gl.uniform3fv(at.eye, view.eye);
    for (const name of ['sun', 'sunColour', 'skyColour', 'groundColour', 'headColour']) {
      gl.uniform3fv(at[name], look[name]);
    }
    gl.uniform3fv(at.haze, look.middle);
    gl.uniform2f(at.shadowSize, this.sunMap.size, this.skyMap.size);
    gl.uniform1i(at.image, 0);
    gl.uniform1i(at.sunMap, 1);
    gl.uniform1i(at.skyMap, 2);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.sunMap.texture);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.skyMap.texture);
    gl.activeTexture(gl.TEXTURE0);
    const clear = things.filter(t => t.colour[3] < 1);
    for (const t of things) if (t.colour[3] >= 1) this.shaded(at, t);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    const away = t => len(sub(t.position, view.eye));
    for (const t of clear.sort((a, b) => away(b) - away(a))) this.shaded(at, t);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  shaded(at, thing) {
    const gl = this.gl;
    this.place(at, thing);
    gl.uniform4fv(at.colour, thing.colour);
    gl.uniform4fv(at.surface, thing.surface || [0, .3, .4, 0]);
    gl.uniform4fv(at.mapping, thing.mapping || [0, 1, 1, 0]);
    gl.uniform1f(at.fadeAt, thing.fade || 0);
    gl.uniform1f(at.twoSided, thing.twoSided ? 1 : 0);
    if (thing.twoSided) gl.disable(gl.CULL_FACE);
    gl.bindTexture(gl.TEXTURE_2D, thing.texture || this.blank);
    this.draw(thing.buffer);
    if (thing.twoSided) gl.enable(gl.CULL_FACE);
  }

  // What is at a pixel: the index of the thing and its distance from the eye. With a size instead
  // of a pixel, the indices at all pixels of a picture of that size, from its bottom row upwards.
  pick(things, view, x, y, reach, size) {
    const gl = this.gl, { program, at } = this.programs.pick;
    const w = size ? size[0] : this.canvas.width, h = size ? size[1] : this.canvas.height;
    const frame = gl.createFramebuffer(), made = [];
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    const attach = (format, where) => {
      const b = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, b);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, w, h);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, where, gl.RENDERBUFFER, b);
      made.push(b);
    };
    attach(gl.RGBA8, gl.COLOR_ATTACHMENT0);
    attach(gl.RGBA8, gl.COLOR_ATTACHMENT1);
    attach(gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
    gl.viewport(0, 0, w, h);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(program);
    gl.uniformMatrix4fv(at.camera, false, view.camera);
    gl.uniform3fv(at.eye, view.eye);
    gl.uniform1f(at.reach, reach);
    things.forEach((thing, i) => {
      this.place(at, thing);
      gl.uniform4f(at.colour, (i + 1 & 255) / 255, (i + 1 >> 8) / 255, 0, 1);
      if (thing.twoSided) gl.disable(gl.CULL_FACE);
      this.draw(thing.buffer);
      gl.enable(gl.CULL_FACE);
    });
    let out;
    if (size) {
      const all = new Uint8Array(4 * w * h);
      gl.readBuffer(gl.COLOR_ATTACHMENT0);
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, all);
      out = new Int32Array(w * h);
      for (let i = 0; i < out.length; i++) out[i] = all[4 * i] + 256 * all[4 * i + 1] - 1;
    } else {
      const read = new Uint8Array(4), one = where => {
        gl.readBuffer(where);
        gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, read);
        return [...read];
      };
      const id = one(gl.COLOR_ATTACHMENT0), d = one(gl.COLOR_ATTACHMENT1);
      out = { index: id[0] + 256 * id[1] - 1,
        distance: reach * (d[0] / 255 + d[1] / 65025 + d[2] / 16581375) };
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(frame);
    made.forEach(b => gl.deleteRenderbuffer(b));
    return out;
  }
}
)js";

}  // namespace corten::view::page
