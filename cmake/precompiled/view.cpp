// SPDX-License-Identifier: Apache-2.0
//
// Part of corten::precompiled: the live viewer.
#include <corten/view/server_impl.hpp>
