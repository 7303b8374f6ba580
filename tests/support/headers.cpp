// SPDX-License-Identifier: Apache-2.0
//
// Nothing: the program that owns the precompiled headers of the tests.
