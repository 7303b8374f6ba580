// SPDX-License-Identifier: Apache-2.0
//
// Decompresses zlib streams (RFC 1950, RFC 1951). PNG pictures for height fields are the only
// compressed data in a model, so this short implementation replaces a library that every user would
// have to link. The size of the result is known in advance, and a stream that yields more is an
// error.
#pragma once

#include <corten/config.hpp>
#include <corten/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace corten::asset {

namespace detail {

// A prefix code: the number of codes of each length, and the symbols in the order of their codes.
struct PrefixCode {
  std::uint16_t count[16];
  std::uint16_t symbol[288];

  // returns false if the lengths do not form a code
  CORTEN_COLD bool make(const std::uint8_t* length, int n) {
    for (std::uint16_t& c : count) c = 0;
    for (int i = 0; i < n; ++i) ++count[length[i]];
    int left = 1;  // codes not yet used
    for (int bits = 1; bits < 16; ++bits) {
      left = 2 * left - count[bits];
      if (left < 0) return false;
    }
    std::uint16_t start[16] = {0};
    for (int bits = 1; bits < 15; ++bits) {
      start[bits + 1] = static_cast<std::uint16_t>(start[bits] + count[bits]);
    }
    for (int i = 0; i < n; ++i) {
      if (length[i] != 0) symbol[start[length[i]]++] = static_cast<std::uint16_t>(i);
    }
    return true;
  }
};

class Inflater {
 public:
  Inflater(std::string_view in, std::size_t size) : in_(in), size_(size) { out_.reserve(size); }

  CORTEN_COLD Result<void> run(std::string& out) {
    for (bool last = false; !last && !failed_;) {
      last = bits(1) != 0;
      switch (bits(2)) {
        case 0: stored(); break;
        case 1: fixed(); break;
        case 2: dynamic(); break;
        default: failed_ = true;
      }
    }
    if (failed_ || out_.size() != size_) return Error("the compressed data is damaged or cut off");
    if (adler() != check()) return Error("the checksum of the compressed data is wrong");
    out = std::move(out_);
    return {};
  }

 private:
  // The next n bits, the first one lowest. Past the end it returns 0 and sets failed_.
  int bits(int n) {
    while (held_ < n) {
      if (at_ >= in_.size()) {
        failed_ = true;
        return 0;
      }
      buffer_ |= static_cast<std::uint32_t>(static_cast<unsigned char>(in_[at_++])) << held_;
      held_ += 8;
    }
    const int out = static_cast<int>(buffer_ & ((1u << n) - 1));
    buffer_ >>= n;
    held_ -= n;
    return out;
  }

  // reads one symbol bit by bit: codes of equal length are consecutive numbers
  int symbol(const PrefixCode& code) {
    int number = 0, first = 0, index = 0;
    for (int length = 1; length < 16 && !failed_; ++length) {
      number |= bits(1);
      const int count = code.count[length];
      if (number - count < first) return code.symbol[index + (number - first)];
      index += count;
      first = (first + count) << 1;
      number <<= 1;
    }
    failed_ = true;
    return 0;
  }

  void put(char c) {
    if (out_.size() >= size_) {
      failed_ = true;
    } else {
      out_.push_back(c);
    }
  }

  CORTEN_COLD void stored() {
    buffer_ = 0;
    held_ = 0;
    if (in_.size() - at_ < 4) {
      failed_ = true;
      return;
    }
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(in_[at_ + i]); };
    const std::size_t n = byte(0) + 256u * byte(1), inverse = byte(2) + 256u * byte(3);
    at_ += 4;
    failed_ = (n ^ inverse) != 0xffff || in_.size() - at_ < n || size_ - out_.size() < n;
    if (failed_) return;
    out_.append(in_.substr(at_, n));
    at_ += n;
  }

  // literals and copies, until the end of the block
  CORTEN_COLD void block(const PrefixCode& literal, const PrefixCode& distance) {
    static constexpr std::uint16_t lengths[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                  15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                  67, 83, 99, 115, 131, 163, 195, 227, 258};
    static constexpr std::uint8_t length_bits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                     2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static constexpr std::uint16_t distances[30] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    while (!failed_) {
      const int s = symbol(literal);
      if (failed_ || s == 256) return;
      if (s < 256) {
        put(static_cast<char>(s));
        continue;
      }
      if (s > 285) break;
      const int length = lengths[s - 257] + bits(length_bits[s - 257]);
      const int d = symbol(distance);
      if (failed_ || d > 29) break;
      const std::size_t back = distances[d] + static_cast<std::size_t>(bits(d < 4 ? 0 : d / 2 - 1));
      if (back > out_.size()) break;
      for (int i = 0; i < length && !failed_; ++i) put(out_[out_.size() - back]);
    }
    failed_ = true;
  }

  CORTEN_COLD void fixed() {
    std::uint8_t length[288];
    for (int i = 0; i < 288; ++i) {
      length[i] = static_cast<std::uint8_t>(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    }
    PrefixCode literal, distance;
    literal.make(length, 288);
    for (int i = 0; i < 30; ++i) length[i] = 5;
    distance.make(length, 30);
    block(literal, distance);
  }

  // a block whose code lengths are themselves compressed by a code
  CORTEN_COLD void dynamic() {
    static constexpr std::uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                               11, 4,  12, 3, 13, 2, 14, 1, 15};
    const int literals = bits(5) + 257, distances = bits(5) + 1, codes = bits(4) + 4;
    std::uint8_t length[320] = {0};
    for (int i = 0; i < codes; ++i) length[order[i]] = static_cast<std::uint8_t>(bits(3));
    PrefixCode meta, literal, distance;
    failed_ = failed_ || literals > 286 || distances > 30 || !meta.make(length, 19);
    for (int i = 0; i < literals + distances && !failed_;) {
      const int s = symbol(meta);
      if (s < 16) {
        length[i++] = static_cast<std::uint8_t>(s);
        continue;
      }
      if (s == 16 && i == 0) failed_ = true;
      const std::uint8_t value = s == 16 && i > 0 ? length[i - 1] : std::uint8_t{0};
      int repeat = s == 16 ? 3 + bits(2) : s == 17 ? 3 + bits(3) : 11 + bits(7);
      if (i + repeat > literals + distances) failed_ = true;
      for (; repeat > 0 && !failed_; --repeat) length[i++] = value;
    }
    failed_ = failed_ || length[256] == 0 || !literal.make(length, literals) ||
              !distance.make(length + literals, distances);
    if (!failed_) block(literal, distance);
  }

  // the checksum stored after the data, and the checksum of the data (RFC 1950)
  std::uint32_t check() {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      out = out << 8 | (at_ + i < in_.size() ? static_cast<unsigned char>(in_[at_ + i]) : 0u);
    }
    return out;
  }
  CORTEN_COLD std::uint32_t adler() const {
    std::uint32_t a = 1, b = 0;
    for (const char c : out_) {
      a = (a + static_cast<unsigned char>(c)) % 65521;
      b = (b + a) % 65521;
    }
    return b << 16 | a;
  }

  std::string_view in_;
  std::size_t size_, at_ = 0;
  std::string out_;
  std::uint32_t buffer_ = 0;
  int held_ = 0;
  bool failed_ = false;
};

}  // namespace detail

// decompresses a zlib stream into `size` bytes
CORTEN_COLD Result<void> inflate(std::string_view stream, std::size_t size, std::string& out) {
  if (stream.size() < 6) return Error("the compressed data is cut off");
  // One bit expands to at most 258 bytes: refuse an impossible size before allocating.
  if (size / 2064 > stream.size()) return Error("the compressed data is cut off");
  const unsigned method = static_cast<unsigned char>(stream[0]),
                 flags = static_cast<unsigned char>(stream[1]);
  const bool known = (method & 15) == 8 && (method >> 4) <= 7 && (flags & 32) == 0;
  if (!known || (method * 256 + flags) % 31 != 0) return Error("unknown compression method");
  return detail::Inflater(stream.substr(2), size).run(out);
}

}  // namespace corten::asset
