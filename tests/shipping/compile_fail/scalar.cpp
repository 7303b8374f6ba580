// SPDX-License-Identifier: Apache-2.0
//
// Must not compile: long is no scalar, and the message has to say what to do.
#include <corten/dynamics.hpp>

corten::Data<long> data;
