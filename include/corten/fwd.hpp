// SPDX-License-Identifier: Apache-2.0
//
// The names of the main types, for headers that only mention them.
#pragma once

namespace corten {

// core
struct Error;
struct Location;
struct Status;
struct Contiguous;
struct Strided;
template <class T, class E = Error>
class Result;
template <class T, class Layout>
struct Field;

// scalars
template <class T, int N>
struct Dual;
template <class T, int N>
struct Pack;

// from text to a model
struct Spec;
template <class S>
struct Model;
template <class S, class P>
struct ModelRef;

// from a model to motion
struct Capacity;
template <class S>
class Data;
template <class S, class L>
struct DataRef;
template <class S>
struct Lane;
template <class... Choices>
struct Policies;
struct DefaultPolicies;

// derivatives
namespace derive {
struct Options;
template <class T>
struct Transition;
}  // namespace derive

}  // namespace corten
