// SPDX-License-Identifier: Apache-2.0
//
// A consumer with strict warnings that uses all of corten.
#include <corten/fwd.hpp>

#include <corten/corten.hpp>
#include <corten/derive.hpp>
#include <corten/sycl.hpp>

template corten::Status corten::step(const corten::Model<float>&, corten::Data<float>&);
template corten::Status corten::step(const corten::Model<double>&, corten::Data<double>&);
template corten::Status corten::step(const corten::Model<double>&,
                                     corten::Data<corten::Dual<float, 2>>&);
template class corten::Batch<float, corten::DefaultPolicies, corten::DeviceOrThreads>;
template corten::Model<float> corten::cast(const corten::Model<double>&);

int main(int argc, char** argv) { return argc > 1 && corten::load(argv[1]).ok() ? 0 : 1; }
