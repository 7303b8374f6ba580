// SPDX-License-Identifier: Apache-2.0
#include <corten/corten.hpp>

int main(int argc, char** argv) { return argc > 1 && corten::load(argv[1]).ok() ? 0 : 1; }
