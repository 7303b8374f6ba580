// SPDX-License-Identifier: Apache-2.0
//
// The page: its shaders. Light is computed linearly: a key light with soft shadows, a sky whose
// occlusion comes from a second shadow map taken from straight above, MuJoCo's headlight, and
// highlights by the material's specular and shininess.
#pragma once

namespace corten::view::page {

inline constexpr char shaders[] = R"js(
const vertexShader = `#version 300 es
layout(location=0) in vec3 position;
layout(location=1) in vec3 normal;
layout(location=2) in vec2 texcoord;
uniform mat4 camera, lightCamera, skyCamera;
uniform mat3 turned;
uniform vec3 placed, scaled;
out vec3 at, n, local, ln;
out vec2 uv;
out vec4 inLight, inSky;
void main() {
  vec3 p = position * scaled;
  at = turned * p + placed;
  ln = normal;
  n = turned * (normal / scaled);
  local = position;
  uv = texcoord;
  inLight = lightCamera * vec4(at, 1.);
  inSky = skyCamera * vec4(at, 1.);
  gl_Position = camera * vec4(at, 1.);
}`;

const fragmentShader = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 at, n, local, ln;
in vec2 uv;
in vec4 inLight, inSky;
uniform vec3 eye, sun, sunColour, skyColour, groundColour, headColour, haze;
uniform vec4 colour;
uniform vec4 surface;   // emission, specular, shininess, reflectance
uniform vec4 mapping;   // texture: 0 none, 1 flat, 2 cube, 3 grid; repeats; unused
uniform vec3 scaled;
uniform vec2 shadowSize;  // texels of the sun's map and of the sky's
uniform float fadeAt, twoSided;
uniform sampler2D image;
uniform sampler2DShadow sunMap, skyMap;
out vec4 result;

float random(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }
// the lit share of a disc of texels, on a spiral that is turned for each pixel
float lit(sampler2DShadow map, vec4 where, float size, float width, float slack) {
  vec3 p = where.xyz / where.w * .5 + .5;
  if (any(lessThan(p, vec3(0.))) || any(greaterThan(p, vec3(1.)))) return 1.;
  float sum = 0., angle = 6.2832 * random(gl_FragCoord.xy);
  for (int i = 0; i < 16; i++) {
    float r = sqrt((float(i) + .5) / 16.) * width;
    angle += 2.39996;
    sum += texture(map, vec3(p.xy + r * vec2(cos(angle), sin(angle)) / size, p.z - slack));
  }
  vec2 edge = smoothstep(vec2(.5), vec2(.44), abs(p.xy - .5));
  return mix(1., sum / 16., edge.x * edge.y);
}
vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }

// a cube is six squares below each other: right, left, up, down, front, back
vec4 cube(vec3 d, vec3 dx, vec3 dy) {
  vec3 a = abs(d);
  float face, m;
  vec2 q;
  if (a.z >= a.x && a.z >= a.y) {
    m = a.z; face = d.z > 0. ? 4. : 5.; q = vec2(d.x * sign(d.z), d.y);
  }
  else if (a.x >= a.y) { m = a.x; face = d.x > 0. ? 0. : 1.; q = vec2(-d.z * sign(d.x), d.y); }
  else { m = a.y; face = d.y > 0. ? 2. : 3.; q = vec2(d.x, -d.z * sign(d.y)); }
  vec2 st = .5 + .498 * q / m;
  float flat_ = max(length(dx), length(dy)) / m;
  return textureGrad(image, vec2(st.x, (5. - face + st.y) / 6.), vec2(flat_ * .5, 0.),
    vec2(0., flat_ / 12.));
}
// lines of a grid, wide enough to be seen from anywhere
float lines(vec2 p, float width) {
  vec2 d = fwidth(p), g = abs(fract(p - .5) - .5);
  vec2 line = 1. - smoothstep(vec2(0.), d * width, g);
  return max(line.x, line.y) * clamp(1. - max(d.x, d.y) * 2.5, 0., 1.);
}

void main() {
  vec3 v = normalize(eye - at), normal = normalize(n);
  if (twoSided > .5 && !gl_FrontFacing) normal = -normal;
  vec3 base = linear(colour.rgb);
  float alpha = colour.a, far = length(eye - at);
  if (mapping.x > 2.5) {
    base *= 1. - .30 * lines(local.xy * mapping.yz, 1.2);
    base *= 1. - .14 * lines(local.xy * mapping.yz * 5., 1.);
  } else if (mapping.x > 1.5) {
    base *= linear(cube(local, dFdx(local), dFdy(local)).rgb);
  } else if (mapping.x > .5) {
    vec4 t = texture(image, uv * mapping.yz);
    base *= linear(t.rgb);
    alpha *= t.a;
  }
  // slopes towards the light need less slack
  float facing = clamp(dot(normal, sun), 0., 1.);
  float shade = facing > 0. ? lit(sunMap, inLight, shadowSize.x, 2.6, .0012 * (1.5 - facing)) : 0.;
  float open = mix(.30, 1., lit(skyMap, inSky, shadowSize.y, 15., .004));
  float up = normal.z * .5 + .5;
  vec3 ambient = mix(groundColour, skyColour, up) * mix(open, 1., (1. - up) * .7);
  vec3 h = normalize(sun + v), hv = normalize(v + v);
  float sharp = exp2(1. + 9. * surface.z);
  float shine = surface.y * (sharp + 2.) / 28.;
  float fresnel = .25 + .75 * pow(1. - max(dot(normal, v), 0.), 5.);
  vec3 light = base * (ambient + sunColour * facing * shade +
    headColour * max(dot(normal, v), 0.) + surface.x);
  light += sunColour * shade * facing * shine * fresnel * pow(max(dot(normal, h), 0.), sharp);
  light += (surface.w * .8 + .05 * surface.y) * fresnel * mix(groundColour, skyColour,
    clamp(reflect(-v, normal).z * 2. + .5, 0., 1.)) * open;
  light = light / (1. + .28 * light) * 1.14;
  float fog = fadeAt > 0. ? smoothstep(.35, 1., far / fadeAt) : 0.;
  light = mix(light, linear(haze), fog);
  result = vec4(pow(light, vec3(1. / 2.2)), alpha);
}`;

const depthShader = `#version 300 es
precision highp float;
void main() {}`;

// the number of a thing, and how far away it is
const pickShader = `#version 300 es
precision highp float;
in vec3 at;
uniform vec3 eye;
uniform vec4 colour;
uniform float reach;
layout(location=0) out vec4 id;
layout(location=1) out vec4 depth;
void main() {
  id = colour;
  float d = clamp(length(at - eye) / reach, 0., .99999);
  vec3 digits = fract(d * vec3(1., 255., 65025.));
  depth = vec4(digits - digits.yzz * vec3(1. / 255., 1. / 255., 0.), 1.);
}`;

const skyVertexShader = `#version 300 es
uniform mat3 turned;
uniform vec2 spread;
out vec3 ray;
void main() {
  vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4. - 1.;
  ray = turned * vec3(p * spread, -1.);
  gl_Position = vec4(p, .99999, 1.);
}`;
const skyFragmentShader = `#version 300 es
precision highp float;
in vec3 ray;
uniform vec3 top, middle, bottom;
out vec4 result;
void main() {
  float z = normalize(ray).z;
  vec3 c = z > 0. ? mix(middle, top, pow(z, .55)) : mix(middle, bottom, smoothstep(.02, .6, -z));
  float grain = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - .5;
  result = vec4(c + grain / 255., 1.);
}`;
)js";

}  // namespace corten::view::page
