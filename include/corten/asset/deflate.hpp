// SPDX-License-Identifier: Apache-2.0
//
// Compresses bytes to a zlib stream (RFC 1950, 1951): repetitions are found by a hash of the next
// four bytes, and everything is written with the fixed Huffman code. That is a third larger than
// what zlib makes of a picture, and takes a tenth of its code; nothing here is worth a dependency.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace corten::asset {

namespace detail {

class Deflater {
 public:
  explicit Deflater(std::string_view in) : in_(in) { out_.reserve(in.size() / 2 + 64); }

  CORTEN_COLD std::string run() {
    out_ = "\x78\x9c";  // the header of zlib: a window of 32 KB
    bits(1, 1);         // the last block
    bits(1, 2);         // with the fixed code
    List<int> last(std::size_t{1} << hash_bits, -1);
    std::size_t at = 0;
    while (at < in_.size()) {
      const int found = at + 4 <= in_.size() ? swap(last, at) : -1;
      const std::size_t length = found < 0 ? 0 : match(static_cast<std::size_t>(found), at);
      if (length < 4) {
        literal(static_cast<unsigned char>(in_[at++]));
        continue;
      }
      copy(length, at - static_cast<std::size_t>(found));
      // long repetitions need no entry for each of their bytes
      for (std::size_t k = 1; k < length && k < 32 && at + k + 4 <= in_.size(); ++k) {
        swap(last, at + k);
      }
      at += length;
    }
    code(0, 7);  // the end of the block
    if (used_ > 0) bits(0, 8 - used_);
    checksum();
    return std::move(out_);
  }

 private:
  static constexpr int hash_bits = 15;
  static constexpr std::size_t window = 32768, longest = 258;

  // the latest place with the same four bytes, which this one replaces; -1 if it is out of reach
  int swap(List<int>& last, std::size_t at) const {
    std::uint32_t word;
    std::memcpy(&word, in_.data() + at, 4);
    int& slot = last[(word * 2654435761u) >> (32 - hash_bits)];
    const int found = slot;
    slot = static_cast<int>(at);
    return found >= 0 && at - static_cast<std::size_t>(found) <= window ? found : -1;
  }

  std::size_t match(std::size_t from, std::size_t at) const {
    std::size_t n = 0;
    while (n < longest && at + n < in_.size() && in_[from + n] == in_[at + n]) ++n;
    return n;
  }

  // numbers start with their lowest bit, codes with their highest
  void bits(std::uint32_t value, int count) {
    buffer_ |= value << used_;
    for (used_ += count; used_ >= 8; used_ -= 8, buffer_ >>= 8) {
      out_ += static_cast<char>(buffer_ & 255u);
    }
  }
  void code(std::uint32_t value, int count) {
    std::uint32_t turned = 0;
    for (int i = 0; i < count; ++i) turned |= (value >> i & 1u) << (count - 1 - i);
    bits(turned, count);
  }

  void literal(std::uint32_t v) { v < 144 ? code(0x30 + v, 8) : code(0x190 + v - 144, 9); }

  // lengths and distances: a code for a range, then the place in that range (RFC 1951, 3.2.5)
  void copy(std::size_t length, std::size_t distance) {
    std::uint32_t value = static_cast<std::uint32_t>(length) - 3, extra = 0, symbol = value;
    if (length == longest) {
      symbol = 28;
    } else if (value >= 8) {
      while (value >> (extra + 3) != 0) ++extra;
      symbol = 4 * extra + (value >> extra);
    }
    const std::uint32_t tree = 257 + symbol;
    tree < 280 ? code(tree - 256, 7) : code(0xC0 + tree - 280, 8);
    if (length != longest && extra > 0) bits(value & ((1u << extra) - 1), static_cast<int>(extra));
    value = static_cast<std::uint32_t>(distance) - 1;
    extra = 0;
    symbol = value;
    if (value >= 4) {
      while (value >> (extra + 2) != 0) ++extra;
      symbol = 2 * extra + (value >> extra);
    }
    code(symbol, 5);
    if (extra > 0) bits(value & ((1u << extra) - 1), static_cast<int>(extra));
  }

  void checksum() {
    std::uint32_t a = 1, b = 0;
    for (const char c : in_) {
      a = (a + static_cast<unsigned char>(c)) % 65521u;
      b = (b + a) % 65521u;
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
      out_ += static_cast<char>(((b << 16 | a) >> shift) & 255u);
    }
  }

  std::string_view in_;
  std::string out_;
  std::uint32_t buffer_ = 0;
  int used_ = 0;
};

}  // namespace detail

CORTEN_COLD std::string deflate(std::string_view bytes) { return detail::Deflater(bytes).run(); }

}  // namespace corten::asset
