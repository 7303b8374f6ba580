// SPDX-License-Identifier: Apache-2.0
//
// Scalable vector graphics as text: just enough to draw plots and bodies.
#pragma once

#include <corten/core/charconv.hpp>
#include <corten/io/utf8.hpp>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

// colours that most people can tell apart on white (after Okabe and Ito)
inline constexpr std::array<std::string_view, 8> svg_palette{
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#555555"};

// the value of an attribute: {{"x", 10}, {"fill", "#fff"}}
class SvgValue {
 public:
  SvgValue(double x) : text_(number(x)) {}
  SvgValue(int x) : text_(std::to_string(x)) {}
  SvgValue(std::string_view s) : text_(s) {}
  SvgValue(const std::string& s) : text_(s) {}
  SvgValue(const char* s) : text_(s) {}
  const std::string& text() const { return text_; }

  // pixels with two decimals, without trailing zeros
  static std::string number(double x) {
    if (!std::isfinite(x)) x = 0;
    char buffer[352];
    auto end = corten::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed, 2).ptr;
    while (end[-1] == '0') --end;
    if (end[-1] == '.') --end;
    const std::string_view out(buffer, static_cast<std::size_t>(end - buffer));
    return std::string(out == "-0" ? "0" : out);
  }

 private:
  std::string text_;
};

using SvgAttributes = std::vector<std::pair<std::string_view, SvgValue>>;

class Svg {
 public:
  Svg(double width, double height, std::string_view title) {
    text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
    attributes({{"width", width}, {"height", height}});
    text_ += " viewBox=\"0 0 " + SvgValue::number(width) + " " + SvgValue::number(height) + "\"";
    attributes(
        {{"font-family", "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"}});
    text_ += ">\n<title>" + escape(title) + "</title>\n";
    element("rect", {{"width", width}, {"height", height}, {"fill", "#ffffff"}});
  }

  void element(std::string_view name, const SvgAttributes& a) {
    open_tag(name, a);
    text_ += "/>\n";
  }

  void text(double x, double y, std::string_view content, const SvgAttributes& a) {
    open_tag("text", {{"x", x}, {"y", y}});
    attributes(a);
    text_ += ">" + escape(content) + "</text>\n";
  }

  void begin_group(const SvgAttributes& a) {
    open_tag("g", a);
    text_ += ">\n";
  }
  void end_group() { text_ += "</g>\n"; }

  std::string finish() { return std::move(text_ += "</svg>\n"); }

  static std::string escape(std::string_view s) {
    std::string out;
    for (const char c : corten::io::to_utf8(s)) {
      switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // not allowed in XML
      }
    }
    return out;
  }

 private:
  void open_tag(std::string_view name, const SvgAttributes& a) {
    text_ += '<';
    text_ += name;
    attributes(a);
  }
  void attributes(const SvgAttributes& a) {
    for (const auto& [key, value] : a) {
      text_ += ' ';
      text_ += key;
      text_ += "=\"" + escape(value.text()) + "\"";
    }
  }

  std::string text_;
};

}  // namespace cli
