// SPDX-License-Identifier: Apache-2.0
//
// Line plots over time: panels stacked above a common time axis.
//
//   cli::Figure figure{"a fall", "time (s)", time, {{"height (m)", {{"torso", z}}}}};
//   std::string picture = cli::plot_svg(figure);
#pragma once

#include "svg.hpp"

#include <corten/core/charconv.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace cli {

struct Line {
  std::string label;
  std::vector<double> y;  // one per entry of Figure::x
};

struct Panel {
  std::string title;
  std::vector<Line> lines;
};

struct Figure {
  std::string title;
  std::string x_label;
  std::vector<double> x;
  std::vector<Panel> panels;
};

// The ticks of an axis: multiples of 1, 2 or 5 times a power of ten.
struct Ticks {
  double low = 0, high = 1, step = 1;
  int decimals = 0;

  // about `count` steps; the fewest that cover both ends
  static Ticks around(double low, double high, int count) {
    Ticks t;
    if (!(high > low)) {
      const double half = low == 0 || !std::isfinite(low) ? 1 : 0.1 * std::fabs(low);
      const double middle = std::isfinite(low) ? low : 0;
      low = middle - half;
      high = middle + half;
    }
    const double raw = (high - low) / count;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double lead = raw / power;
    t.step = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    t.low = t.step * std::floor(low / t.step + 1e-9);
    t.high = t.step * std::ceil(high / t.step - 1e-9);
    t.decimals = std::max(0, static_cast<int>(-std::floor(std::log10(t.step) + 1e-9)));
    return t;
  }

  int count() const { return static_cast<int>(std::lround((high - low) / step)) + 1; }
  double at(int i) const { return low + step * i; }

  std::string label(int i) const {
    const double size = std::max(std::fabs(low), std::fabs(high));
    const double x = std::fabs(at(i)) < 1e-9 * step ? 0 : at(i);
    char buffer[64];
    const bool plain = size < 1e6 && decimals <= 6;
    const auto end =
        plain ? corten::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed,
                                 decimals)
              : corten::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, 4);
    std::string out(buffer, end.ptr);
    if (out[0] == '-') out.replace(0, 1, "\u2212");  // a minus as wide as a digit
    return out;
  }
};

namespace detail {

// positions and sizes in pixels
struct PlotLayout {
  static constexpr double width = 900, left = 74, right = 190, top = 70, panel = 160, gap = 62,
                          bottom = 52;
  static constexpr double plot_width = width - left - right;
  static double panel_top(std::size_t i) { return top + static_cast<double>(i) * (panel + gap); }
  static double height(std::size_t panels) { return panel_top(panels) - gap + bottom; }
};

struct Axis {
  Ticks ticks;
  double from, to;  // pixel positions of the low and the high end
  double operator()(double v) const {
    return from + (v - ticks.low) / (ticks.high - ticks.low) * (to - from);
  }
};

// A polyline in pixels, with gaps where numbers are not finite. Of the points in one pixel column
// only the first, lowest, highest and last are kept: the picture looks the same, and its size does
// not grow with the number of samples.
inline std::string path_of(std::span<const double> xs, std::span<const double> ys, const Axis& x,
                           const Axis& y) {
  std::string out;
  bool pen = false;
  const auto point = [&](std::size_t i) {
    out += pen ? 'L' : 'M';
    out += SvgValue::number(x(xs[i])) + ' ' + SvgValue::number(y(ys[i]));
    pen = true;
  };
  for (std::size_t i = 0; i < xs.size();) {
    if (!std::isfinite(ys[i])) {
      pen = false;
      ++i;
      continue;
    }
    const double column = std::floor(2 * x(xs[i]));
    std::size_t end = i, low = i, high = i;
    for (; end < xs.size() && std::isfinite(ys[end]) && std::floor(2 * x(xs[end])) == column;
         ++end) {
      if (ys[end] < ys[low]) low = end;
      if (ys[end] > ys[high]) high = end;
    }
    std::size_t kept[] = {i, std::min(low, high), std::max(low, high), end - 1};
    for (std::size_t k = 0; k < 4; ++k) {
      if (k == 0 || kept[k] != kept[k - 1]) point(kept[k]);
    }
    i = end;
  }
  return out;
}

inline Axis vertical_axis(const Panel& panel, double top) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Line& line : panel.lines) {
    for (const double v : line.y) {
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  return {Ticks::around(low, high, 4), top + PlotLayout::panel, top};
}

inline Axis horizontal_axis(std::span<const double> x) {
  const double low = x.empty() ? 0 : x.front(), high = x.empty() ? 1 : x.back();
  Axis axis{Ticks::around(low, high, 8), PlotLayout::left,
            PlotLayout::left + PlotLayout::plot_width};
  // the plot ends where the data ends, even between ticks
  const double ticked = axis.ticks.high - axis.ticks.low;
  if (high > low) axis.to = axis.from + PlotLayout::plot_width * ticked / (high - axis.ticks.low);
  return axis;
}

inline void draw_grid(Svg& svg, const Axis& x, const Axis& y) {
  const double left = PlotLayout::left, right = left + PlotLayout::plot_width;
  for (int i = 0; i < y.ticks.count(); ++i) {
    const double at = y(y.ticks.at(i));
    const bool zero = std::fabs(y.ticks.at(i)) < 1e-9 * y.ticks.step;
    svg.element("line", {{"x1", left},
                         {"x2", right},
                         {"y1", at},
                         {"y2", at},
                         {"stroke", zero ? "#b4bac2" : "#e6e8eb"}});
    svg.text(left - 10, at + 4, y.ticks.label(i),
             {{"text-anchor", "end"}, {"font-size", 12}, {"fill", "#5b6470"}});
  }
  for (int i = 0; i < x.ticks.count(); ++i) {
    const double at = x(x.ticks.at(i));
    if (at > right + 0.5 || at < left - 0.5) continue;
    svg.element(
        "line",
        {{"x1", at}, {"x2", at}, {"y1", y.from}, {"y2", y.from + 5}, {"stroke", "#8c95a1"}});
    if (i > 0) {
      svg.element("line",
                  {{"x1", at}, {"x2", at}, {"y1", y.to}, {"y2", y.from}, {"stroke", "#f1f2f4"}});
    }
    svg.text(at, y.from + 20, x.ticks.label(i),
             {{"text-anchor", "middle"}, {"font-size", 12}, {"fill", "#5b6470"}});
  }
  svg.element("path", {{"d", "M" + SvgValue::number(left) + " " + SvgValue::number(y.to) + "V" +
                                 SvgValue::number(y.from) + "H" + SvgValue::number(right)},
                       {"fill", "none"},
                       {"stroke", "#8c95a1"}});
}

// the labels to the right of a panel; "and N more" stands for those that do not fit
inline void draw_legend(Svg& svg, const Panel& panel, double top) {
  constexpr std::size_t room = 9;
  const double left = PlotLayout::left + PlotLayout::plot_width + 16;
  const std::size_t shown = panel.lines.size() <= room ? panel.lines.size() : room - 1;
  double y = top + 8;
  for (std::size_t k = 0; k < shown; ++k, y += 18) {
    svg.element("line", {{"x1", left},
                         {"x2", left + 20},
                         {"y1", y},
                         {"y2", y},
                         {"stroke-width", 3},
                         {"stroke", svg_palette[k % svg_palette.size()]},
                         {"stroke-linecap", "round"}});
    svg.text(left + 28, y + 4, panel.lines[k].label, {{"font-size", 12}, {"fill", "#2d333b"}});
  }
  if (shown < panel.lines.size()) {
    svg.text(left + 28, y + 4, "and " + std::to_string(panel.lines.size() - shown) + " more",
             {{"font-size", 12}, {"fill", "#5b6470"}});
  }
}

}  // namespace detail

inline std::string plot_svg(const Figure& figure) {
  using Layout = detail::PlotLayout;
  Svg svg(Layout::width, Layout::height(figure.panels.size()), figure.title);
  svg.text(Layout::left, 28, figure.title,
           {{"font-size", 17}, {"font-weight", 600}, {"fill", "#1f242b"}});
  const detail::Axis x = detail::horizontal_axis(figure.x);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    const double top = Layout::panel_top(i);
    const detail::Axis y = detail::vertical_axis(panel, top);
    svg.text(Layout::left, top - 10, panel.title,
             {{"font-size", 13}, {"font-weight", 600}, {"fill", "#2d333b"}});
    detail::draw_grid(svg, x, y);
    for (std::size_t k = 0; k < panel.lines.size(); ++k) {
      svg.element("path", {{"d", detail::path_of(figure.x, panel.lines[k].y, x, y)},
                           {"fill", "none"},
                           {"stroke", svg_palette[k % svg_palette.size()]},
                           {"stroke-width", 1.6},
                           {"stroke-linejoin", "round"},
                           {"stroke-linecap", "round"}});
    }
    if (panel.lines.size() > 1) detail::draw_legend(svg, panel, top);
  }
  svg.text(Layout::left + Layout::plot_width / 2, Layout::height(figure.panels.size()) - 12,
           figure.x_label, {{"text-anchor", "middle"}, {"font-size", 12}, {"fill", "#5b6470"}});
  return svg.finish();
}

}  // namespace cli
