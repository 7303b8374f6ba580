// SPDX-License-Identifier: Apache-2.0
//
// A growing array with the interface of std::vector, whose iterators are plain pointers. It exists
// for compile time: the host side has arrays of some fifty types, and a header-only program
// compiles all of them. With std::vector instead, examples/load_and_step.cpp takes 12 to 15 %
// longer to compile (46 s instead of 40 s with g++ 12 -O2) and has 5 % more code (1155 KB instead
// of 1101 KB).
#pragma once

#include <corten/config.hpp>

#include <cstddef>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace corten {

namespace detail {

CORTEN_COLD void* allocate_bytes(std::size_t bytes, std::size_t alignment) {
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes);
  return ::operator new(bytes, std::align_val_t(alignment));
}

CORTEN_COLD void free_bytes(void* at, std::size_t alignment) noexcept {
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator delete(at);
  ::operator delete(at, std::align_val_t(alignment));
}

}  // namespace detail

template <class T>
class List {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  List() noexcept = default;
  List(const List& other) : List() { append(other.begin(), other.end()); }
  List(List&& other) noexcept : List() { swap(other); }
  List(std::initializer_list<T> items) : List() { append(items.begin(), items.end()); }
  List(const T* first, const T* last) : List() { append(first, last); }
  explicit List(std::size_t size) : List() { resize(size); }
  List(std::size_t size, const T& item) : List() { resize(size, item); }
  List(const std::vector<T>& other) : List(other.data(), other.data() + other.size()) {}
  CORTEN_COLD ~List() {
    clear();
    detail::free_bytes(data_, alignof(T));
  }
  List& operator=(List other) noexcept {
    swap(other);
    return *this;
  }
  explicit operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  CORTEN_COLD void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    T* const fresh = static_cast<T*>(detail::allocate_bytes(capacity * sizeof(T), alignof(T)));
    for (std::size_t i = 0; i < size_; ++i) {
      ::new (static_cast<void*>(fresh + i)) T(std::move(data_[i]));
      data_[i].~T();
    }
    detail::free_bytes(data_, alignof(T));
    data_ = fresh;
    capacity_ = capacity;
  }
  CORTEN_COLD void resize(std::size_t size) {
    reserve(size);
    while (size_ > size) pop_back();
    for (; size_ < size; ++size_) ::new (static_cast<void*>(end())) T();
  }
  CORTEN_COLD void resize(std::size_t size, const T& item) {
    reserve(size);
    while (size_ > size) pop_back();
    for (; size_ < size; ++size_) ::new (static_cast<void*>(end())) T(item);
  }
  void clear() noexcept {
    while (size_ > 0) pop_back();
  }

  // by value, because the item may be an element of this list
  void push_back(T item) {
    if (size_ == capacity_) reserve(2 * size_ + 4);
    ::new (static_cast<void*>(end())) T(std::move(item));
    ++size_;
  }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    push_back(T(std::forward<Args>(args)...));
    return back();
  }
  void pop_back() { data_[--size_].~T(); }

  // Appends copies of items, which must not be elements of this list.
  CORTEN_COLD void append(const T* first, const T* last) {
    const std::size_t size = size_ + static_cast<std::size_t>(last - first);
    if (size > capacity_) reserve(size_ == 0 ? size : 2 * size);
    for (; first != last; ++first, ++size_) ::new (static_cast<void*>(end())) T(*first);
  }
  void append(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  void append(const List& other) { append(other.begin(), other.end()); }

  void assign(std::size_t size, const T& item) { *this = List(size, item); }
  // clang-format off
  template <class Iterator>
    requires(!std::is_integral_v<Iterator>)
  void assign(Iterator first, Iterator last) {
    List fresh;
    for (; first != last; ++first) fresh.push_back(static_cast<T>(*first));
    swap(fresh);
  }
  // clang-format on

  // insert items before `at`
  CORTEN_COLD T* insert(const T* at, T item) {
    const std::ptrdiff_t place = at - data_;
    push_back(std::move(item));
    for (T* i = end() - 1; i != begin() + place; --i) std::swap(i[-1], *i);
    return begin() + place;
  }
  CORTEN_COLD T* insert(const T* at, const T* first, const T* last) {
    List fresh;
    const std::ptrdiff_t place = at - data_;
    fresh.reserve(size_ + static_cast<std::size_t>(last - first));
    for (T* item = begin(); item != at; ++item) fresh.push_back(std::move(*item));
    fresh.append(first, last);
    for (T* item = begin() + place; item != end(); ++item) fresh.push_back(std::move(*item));
    swap(fresh);
    return begin() + place;
  }
  CORTEN_COLD T* erase(const T* first, const T* last) {
    T* const place = begin() + (first - data_);
    T* to = place;
    for (T* from = begin() + (last - data_); from != end(); ++from) *to++ = std::move(*from);
    while (end() != to) pop_back();
    return place;
  }
  T* erase(const T* at) { return erase(at, at + 1); }

  void swap(List& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  friend bool operator==(const List& a, const List& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i) {
      if (!(a[i] == b[i])) return false;
    }
    return true;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace corten
