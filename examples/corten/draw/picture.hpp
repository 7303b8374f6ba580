// SPDX-License-Identifier: Apache-2.0
//
// A motion in one picture: the bodies at several instants, from faint at the start to solid at the
// end.
#pragma once

#include "silhouette.hpp"
#include "svg.hpp"

#include <corten/core/charconv.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace cli {

namespace detail {

// metres to pixels
struct PictureFrame {
  double scale, left, top;  // pixels per metre, world x at pixel 0, world height at pixel 0
  double x(Point p) const { return (p.x - left) * scale; }
  double y(Point p) const { return (top - p.y) * scale; }
};

inline void draw_silhouette(Svg& svg, const Silhouette& s, const PictureFrame& f,
                            const std::string& colour) {
  const double r = s.radius * f.scale;
  const Point a = s.points[0];
  if (s.points.size() == 1) {
    svg.element(
        "circle",
        {{"cx", f.x(a)}, {"cy", f.y(a)}, {"r", r}, {"fill", colour}, {"stroke", "#ffffff"}});
  } else if (s.points.size() == 2) {
    // a wider white line below the coloured one is the outline
    for (const bool under : {true, false}) {
      const Point b = s.points[1];
      svg.element("line", {{"x1", f.x(a)},
                           {"y1", f.y(a)},
                           {"x2", f.x(b)},
                           {"y2", f.y(b)},
                           {"stroke", under ? std::string("#ffffff") : colour},
                           {"stroke-width", 2 * r + (under ? 1 : -1)},
                           {"stroke-linecap", "round"}});
    }
  } else {
    std::string points;
    for (const Point p : s.points) {
      points += SvgValue::number(f.x(p)) + "," + SvgValue::number(f.y(p)) + " ";
    }
    svg.element("polygon", {{"points", points},
                            {"fill", colour},
                            {"stroke", "#ffffff"},
                            {"stroke-linejoin", "round"}});
  }
}

// from pale blue at the start to deep red at the end; what is fixed to the world is grey
inline std::string time_colour(double share) {
  constexpr int from[3] = {120, 170, 214}, to[3] = {176, 58, 36};
  std::string out = "rgb(";
  for (int k = 0; k < 3; ++k) {
    const double c = from[k] + share * (to[k] - from[k]);
    out += std::to_string(std::lround(c)) + (k < 2 ? "," : ")");
  }
  return out;
}

inline std::string seconds(double t) {
  char buffer[32];
  const auto end =
      corten::to_chars(buffer, buffer + sizeof buffer, t, std::chars_format::fixed, 2).ptr;
  return std::string(buffer, end) + " s";
}

inline void draw_floor(Svg& svg, const Scene& scene, const PictureFrame& f, double width,
                       double height) {
  for (const Scene::Edge& e : scene.planes) {
    if (std::fabs(e.normal.y) < 0.999) continue;
    const double y = f.y(e.point);
    const double low = e.normal.y > 0 ? y : 0, high = e.normal.y > 0 ? height : y;
    if (high <= low || low > height) continue;
    svg.element(
        "rect",
        {{"x", 0}, {"y", low}, {"width", width}, {"height", high - low}, {"fill", "#eef0f2"}});
    svg.element("line", {{"x1", 0},
                         {"x2", width},
                         {"y1", y},
                         {"y2", y},
                         {"stroke", "#8c95a1"},
                         {"stroke-width", 1.5}});
  }
}

// the opacity of an instant
inline double time_opacity(double share) { return 0.3 + 0.7 * share * share; }

// when scene i of n takes place, from 0 to 1
inline double time_share(std::size_t i, std::size_t n) {
  return n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 1;
}

// one swatch per instant, and a scale bar of a round length
inline void draw_picture_legend(Svg& svg, const std::vector<Scene>& scenes, const PictureFrame& f,
                                double width, double height) {
  const double y = height - 22;
  const double step = std::min(74.0, (width - 190) / static_cast<double>(scenes.size()));
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const double share = time_share(i, scenes.size()), x = 32 + step * static_cast<double>(i);
    svg.element("circle", {{"cx", x},
                           {"cy", y - 4},
                           {"r", 6},
                           {"fill", time_colour(share)},
                           {"opacity", time_opacity(share)}});
    svg.text(x + 11, y, seconds(scenes[i].time), {{"font-size", 12}, {"fill", "#2d333b"}});
  }
  // the longest bar that fits
  constexpr std::pair<double, const char*> bars[] = {{10, "10 m"},  {5, "5 m"},    {2, "2 m"},
                                                     {1, "1 m"},    {.5, "50 cm"}, {.2, "20 cm"},
                                                     {.1, "10 cm"}, {.01, "1 cm"}};
  const auto* bar = std::begin(bars);
  while (bar->first * f.scale > 120 && bar + 1 != std::end(bars)) ++bar;
  const double right = width - 28, left = right - bar->first * f.scale;
  svg.element("line", {{"x1", left},
                       {"x2", right},
                       {"y1", y},
                       {"y2", y},
                       {"stroke", "#2d333b"},
                       {"stroke-width", 2}});
  svg.text(0.5 * (left + right), y - 7, bar->second,
           {{"text-anchor", "middle"}, {"font-size", 12}, {"fill", "#2d333b"}});
}

}  // namespace detail

// Selects `count` scenes, including the first and the last, with about the same amount of motion
// between neighbours, so that a fall which ends at rest shows mostly the fall. All scenes must show
// the same shapes.
inline std::vector<Scene> by_motion(const std::vector<Scene>& scenes, std::size_t count) {
  if (scenes.size() <= count || count < 2) return scenes;
  std::vector<double> travelled{0};
  for (std::size_t i = 1; i < scenes.size(); ++i) {
    double sum = 0;
    for (const Silhouette& now : scenes[i].shapes) {
      if (now.geom < 0) continue;  // one element stands for a soft body
      for (const Silhouette& before : scenes[i - 1].shapes) {
        if (before.geom != now.geom) continue;
        const Point d = now.points[0] - before.points[0];
        sum += std::sqrt(dot(d, d));
      }
    }
    travelled.push_back(travelled.back() + sum);
  }
  std::vector<Scene> out;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const double share = static_cast<double>(out.size()) / static_cast<double>(count - 1);
    const bool last = i + 1 == scenes.size();
    if (last || (travelled[i] >= share * travelled.back() && out.size() + 1 < count)) {
      out.push_back(scenes[i]);
    }
  }
  return out;
}

// the scenes drawn over one another, in order of time
inline std::string picture_svg(const std::vector<Scene>& scenes, const std::string& title) {
  constexpr double width = 900, max_height = 640, margin = 36, header = 44, footer = 56;
  Box2 box;
  for (const Scene& s : scenes) {
    const Box2 b = s.bounds();
    if (b.empty()) continue;
    box.add({b.left, b.bottom}, 0);
    box.add({b.right, b.top}, 0);
  }
  if (box.empty()) box.add({0, 0}, 1);
  const double w = std::max(box.right - box.left, 1e-9), h = std::max(box.top - box.bottom, 1e-9);
  const double scale =
      std::min((width - 2 * margin) / w, (max_height - header - footer - margin) / h);
  const double height = header + h * scale + margin + footer;
  const detail::PictureFrame frame{scale, 0.5 * (box.left + box.right) - 0.5 * width / scale,
                                   box.top + header / scale};

  Svg svg(width, height, title);
  if (!scenes.empty()) detail::draw_floor(svg, scenes.back(), frame, width, height);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const double share = detail::time_share(i, scenes.size());
    svg.begin_group({{"opacity", detail::time_opacity(share)}});
    for (const Silhouette& s : scenes[i].shapes) {
      detail::draw_silhouette(svg, s, frame, s.fixed ? "#b4bac2" : detail::time_colour(share));
    }
    svg.end_group();
  }
  svg.text(28, 28, title, {{"font-size", 17}, {"font-weight", 600}, {"fill", "#1f242b"}});
  detail::draw_picture_legend(svg, scenes, frame, width, height);
  return svg.finish();
}

}  // namespace cli
