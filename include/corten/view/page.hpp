// SPDX-License-Identifier: Apache-2.0
//
// The viewer as one page that needs nothing else: no network, no server, no installation.
//
//   const std::string packed = corten::view::pack(model, assets, {}, &film);
//   corten::save_file("run.html", corten::view::write_page(packed));
//
// Its parts are text in headers (view/page/), so that header-only programs carry them without a
// build step. A page for the live server has no data in it; it asks the server for frames.
#pragma once

#include <corten/config.hpp>
#include <corten/view/page/app.hpp>
#include <corten/view/page/camera.hpp>
#include <corten/view/page/check.hpp>
#include <corten/view/page/local.hpp>
#include <corten/view/page/main.hpp>
#include <corten/view/page/markup.hpp>
#include <corten/view/page/math.hpp>
#include <corten/view/page/panel.hpp>
#include <corten/view/page/plots.hpp>
#include <corten/view/page/renderer.hpp>
#include <corten/view/page/shaders.hpp>
#include <corten/view/page/shapes.hpp>
#include <corten/view/page/style.hpp>
#include <corten/view/page/world.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace corten::view {

namespace detail {

CORTEN_BULK std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? digits[word >> (18 - 6 * k) & 63u] : '=';
    }
  }
  return out;
}

}  // namespace detail

// The page; `packed` is what pack() returns, or empty for a live page. With the bytes of the
// simulator (examples/corten/wasm) and a film that has states, it can go on by itself.
CORTEN_COLD std::string write_page(std::string_view packed = {}, std::string_view simulator = {}) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>corten</title>\n<style>";
  out.append(page::style).append("</style>\n").append(page::markup);
  if (!packed.empty()) {
    out += "<script type=\"text/plain\" id=\"data\">";
    out.append(detail::base64(packed)).append("</script>\n");
  }
  if (!simulator.empty()) {
    out += "<script type=\"text/plain\" id=\"simulator\">";
    out.append(detail::base64(simulator)).append("</script>\n");
  }
  out += "<script>\n'use strict';\n";
  for (const char* part :
       {page::math, page::shapes, page::shaders, page::renderer, page::world, page::camera,
        page::plots, page::app, page::panel, page::local, page::check, page::main}) {
    out += part;
  }
  return out += "</script>\n</html>\n";
}

}  // namespace corten::view
