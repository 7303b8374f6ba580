// SPDX-License-Identifier: Apache-2.0
//
// Catch2, version 3 or 2, and the comparison of numbers that tests use instead of Catch's own.
// Exactly one file of a test program has to provide main: support/main.cpp.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "near.hpp"
