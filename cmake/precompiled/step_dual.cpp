// SPDX-License-Identifier: Apache-2.0
#include <corten/derive/inverse.hpp>
#include <corten/derive/linearizer.hpp>
#include <corten/precompiled.hpp>

namespace corten {
CORTEN_INSTANTIATE(, double, Dual8)

namespace derive {
template const Transition<double>& Linearizer<double, 8>::operator()(
    const ModelRef<double, DefaultPolicies>&, const Data<double>&, int);
template const Gradient<double>& Linearizer<double, 8>::pullback(
    const ModelRef<double, DefaultPolicies>&, const Data<double>&, const double*);
template const Gradient<double>& Linearizer<double, 8>::pullback_evaluated(
    const ModelRef<double, DefaultPolicies>&, std::span<Data<double>>, bool, const double*);
template const InverseSlopes<double>& InverseLinearizer<double, 8>::operator()(const Model<double>&,
                                                                               const Data<double>&);
}  // namespace derive
}  // namespace corten
