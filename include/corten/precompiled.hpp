// SPDX-License-Identifier: Apache-2.0
//
// What corten::precompiled holds besides load(): the host functions of the default pipeline for these
// scalars. Projects that link it get CORTEN_EXTERN_TEMPLATES defined, and CORTEN_EXTERN_DOUBLE and the like
// for the scalars that are asked for (cmake/corten_precompiled.cmake): the promise below that these functions
// exist elsewhere. All other scalars and policies are instantiated where they are used.
#pragma once

#include <corten/pipeline/step.hpp>
#include <corten/scalar/dual.hpp>

// the declarations here and the definitions in the library
#define CORTEN_INSTANTIATE(linkage, model_scalar, data_scalar)                                     \
  linkage template Status forward(const Model<model_scalar>&, Data<data_scalar>&);                 \
  linkage template Status step(const Model<model_scalar>&, Data<data_scalar>&);                    \
  linkage template Status inverse(const Model<model_scalar>&, Data<data_scalar>&);                 \
  linkage template Status step(const ModelRef<model_scalar, DefaultPolicies>&, Data<data_scalar>&, \
                               BadState);                                                          \
  linkage template Status forward(const ModelRef<model_scalar, DefaultPolicies>&,                  \
                                  const DataRef<data_scalar, Contiguous>&, bool);                  \
  linkage template Status step(const ModelRef<model_scalar, DefaultPolicies>&,                     \
                               const DataRef<data_scalar, Contiguous>&, BadState);

namespace corten {

// derivatives in eight directions at a time
using Dual8 = Dual<double, 8>;

#ifdef CORTEN_EXTERN_DOUBLE
CORTEN_INSTANTIATE(extern, double, double)
#endif
#ifdef CORTEN_EXTERN_FLOAT
CORTEN_INSTANTIATE(extern, float, float)
CORTEN_INSTANTIATE(extern, double, float)
#endif
#ifdef CORTEN_EXTERN_DUAL
CORTEN_INSTANTIATE(extern, double, Dual8)
#endif

}  // namespace corten
