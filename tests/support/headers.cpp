// SPDX-License-Identifier: Apache-2.0
//
// Empty: the program that owns the precompiled headers of the tests.
