// SPDX-License-Identifier: Apache-2.0
//
// What the gate must refuse: a call through a pointer, recursion, too much stack.
extern "C" {
int gate_double(int (*f)(int)) { return f(1) + 1; }
int gate_float(int n) { return n < 2 ? n : gate_float(n - 1) * gate_float(n - 2); }
int gate_dual(int n) {
  volatile char big[100000];
  big[n] = 1;
  return big[n / 2];
}
}
