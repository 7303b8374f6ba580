// SPDX-License-Identifier: Apache-2.0
#include <corten/corten.hpp>

int main() { return CORTEN_VERSION > 0 ? 0 : 1; }
