// SPDX-License-Identifier: Apache-2.0
//
// Must not compile: long is not a scalar, and the message must say what to do.
#include <corten/dynamics.hpp>

corten::Data<long> data;
