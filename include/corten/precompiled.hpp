// SPDX-License-Identifier: Apache-2.0
//
// What corten::precompiled contains besides load(): the host functions of the default pipeline for
// these scalars. Linking it defines CORTEN_EXTERN_TEMPLATES, and CORTEN_EXTERN_DOUBLE and the like
// for the scalars that were chosen (cmake/corten_precompiled.cmake). The declarations below then
// promise that these functions exist elsewhere. Other scalars and policies are instantiated where
// they are used.
#pragma once

#include <corten/pipeline/step.hpp>
#include <corten/scalar/dual.hpp>

// Used for the declarations here and for the definitions in the library.
#define CORTEN_INSTANTIATE(linkage, model_scalar, data_scalar)                                     \
  linkage template Status forward(const Model<model_scalar>&, Data<data_scalar>&);                 \
  linkage template Status step(const Model<model_scalar>&, Data<data_scalar>&);                    \
  linkage template Status inverse(const Model<model_scalar>&, Data<data_scalar>&);                 \
  linkage template Status step(const ModelRef<model_scalar, DefaultPolicies>&, Data<data_scalar>&, \
                               BadState);                                                          \
  linkage template Status forward(const ModelRef<model_scalar, DefaultPolicies>&,                  \
                                  const DataRef<data_scalar, Contiguous>&, bool);                  \
  linkage template Status forward_motion(const ModelRef<model_scalar, DefaultPolicies>&,           \
                                         const DataRef<data_scalar, Contiguous>&, bool);           \
  linkage template Status forward_forces(const ModelRef<model_scalar, DefaultPolicies>&,           \
                                         const DataRef<data_scalar, Contiguous>&, bool);           \
  linkage template Status step1(const ModelRef<model_scalar, DefaultPolicies>&,                    \
                                const DataRef<data_scalar, Contiguous>&);                          \
  linkage template Status step2(const ModelRef<model_scalar, DefaultPolicies>&,                    \
                                const DataRef<data_scalar, Contiguous>&);                          \
  linkage template Status step(const ModelRef<model_scalar, DefaultPolicies>&,                     \
                               const DataRef<data_scalar, Contiguous>&, BadState);

namespace corten {

// Derivatives in eight directions at a time.
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
