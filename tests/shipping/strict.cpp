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
template class corten::Batch<float>;
template corten::Model<float> corten::cast(const corten::Model<double>&);

int main(int argc, char** argv) {
  const auto model = corten::load(argc > 1 ? argv[1] : "");
  if (!model) return 1;
  const corten::Model<float> single = corten::cast<float>(*model);
  corten::AutoBatch<float> batch(single, 3);
  return batch.step_all().ok() && batch.reset(1).ok() && !batch.worlds().backend().empty() ? 0 : 1;
}
