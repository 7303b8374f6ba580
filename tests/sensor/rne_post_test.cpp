// SPDX-License-Identifier: Apache-2.0
//
// Accelerations and forces of bodies after the solver, contact forces, and momenta of subtrees, all
// against MuJoCo 3.12.0: cacc and cfrc_* with the readings (readings_test.cpp), momenta here.
#include <corten/constraint/contact_force.hpp>
#include <corten/scalar/dual.hpp>
#include <corten/stage/rne_post.hpp>
#include <corten/stage/subtree.hpp>
#include <corten/version.hpp>

#include "../support/golden.hpp"

#include <type_traits>

using namespace corten;
using D4 = Dual8;

namespace {

template <class S>
double worst(const Field<S>& got, const io::Json& expected) {
  std::vector<double> want;
  golden::flatten(expected, want);
  double out = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    out = std::max(out, std::fabs(double(value(got[int(i)])) - want[i]));
  }
  return out;
}

// loads the state and inputs of a golden entry, and calls forward with a solver that converges
template <class S>
Data<S> forward_entry(Model<double>& model, const io::Json& entry) {
  model.opt.tolerance = 0;
  model.opt.iterations = 200;
  model.opt.ls_iterations = 100;
  Data<S> data(model);
  const auto done = io::read_state(*entry.find("pre"), data);
  if (!done) FAIL(done.error().to_string());
  REQUIRE(forward(model, data).ok());
  return data;
}

}  // namespace

TEMPLATE_TEST_CASE("momenta of subtrees agree with MuJoCo", "[stage][sensor]", float, double, D4) {
  const double tolerance = std::is_same_v<TestType, float> ? 1e-5 : 1e-12;
  Model<double> model = support::load("sensors");
  const io::Json tree = golden::load_golden("subtree");
  for (const auto& entry : *tree.find("data")->array()) {
    const Data<TestType> data = forward_entry<TestType>(model, entry);
    subtree_velocity(make_ref<DefaultPolicies>(model), data.ref());
    CHECK(worst(data.ref().subtree_linvel, *entry.find("subtree_linvel")) < tolerance);
    CHECK(worst(data.ref().subtree_angmom, *entry.find("subtree_angmom")) < tolerance);
  }
}

TEST_CASE("momentum of a subtree is the sum over its bodies", "[stage][sensor]") {
  Model<double> model = support::load("sensors");
  const io::Json tree = golden::load_golden("sensors");
  const auto data = forward_entry<double>(model, tree.find("data")->array()->front());
  const auto& d = data.ref();
  const auto m = make_ref<DefaultPolicies>(model);
  subtree_velocity(m, d);

  Vec3<double> momentum = Vec3<double>::Zero();
  for (int b = 1; b < m.n.nbody; ++b) {
    momentum += m.body_mass[b] * point_velocity(m, d, b, vec3<double>(d.xipos, b)).tail<3>();
  }
  const Vec3<double> total = vec3<double>(d.subtree_linvel, 0) * m.body_subtreemass[0];
  CHECK((momentum - total).norm() < 1e-12);
}

TEST_CASE("the forces of joints balance", "[stage][sensor]") {
  Model<double> model = support::load("touch");
  const io::Json tree = golden::load_golden("touch");
  for (const auto& entry : *tree.find("data")->array()) {
    const auto data = forward_entry<double>(model, entry);
    const auto& d = data.ref();
    REQUIRE(data.ncon() > 0);

    // a free body has no joint force; the rest of the force on a hinge is along its axis
    for (int i = 0; i < model.n.nv; ++i) {
      const auto b = static_cast<std::size_t>(model.dof_bodyid[static_cast<std::size_t>(i)]);
      const double got = vec6<double>(d.cdof, i).dot(vec6<double>(d.cfrc_int, int(b)));
      const double want = d.qfrc_actuator[i] + d.qfrc_passive[i] + d.qfrc_applied[i];
      CHECK(near(got, want, 1e-9));
    }
  }
}

TEST_CASE("contact forces add up to the constraint force", "[stage][sensor]") {
  Model<double> model = support::load("touch");
  const io::Json tree = golden::load_golden("touch");
  const auto data = forward_entry<double>(model, tree.find("data")->array()->front());
  const auto& d = data.ref();
  const auto m = make_ref<DefaultPolicies>(model);

  const int nv = m.n.nv;
  std::vector<double> storage(static_cast<std::size_t>(nv), 0.0);
  const Field<double> qfrc{storage.data(), {}};
  for (int c = 0; c < d.ncon; ++c) {
    const Vec6<double> local = contact_force(d, c);
    const Mat3<double> frame = mat3<double>(d.contact_frame, c);
    const Vec3<double> force = frame.transpose() * local.head<3>();
    const Vec3<double> torque = frame.transpose() * local.tail<3>();
    const Vec3<double> point = vec3<double>(d.contact_pos, c);
    const int first = m.geom_bodyid[d.contact_geom[2 * c]];
    const int second = m.geom_bodyid[d.contact_geom[2 * c + 1]];
    apply_force(m, d, second, point, force, torque, qfrc);
    apply_force(m, d, first, point, Vec3<double>(-force), Vec3<double>(-torque), qfrc);
  }
  for (int i = 0; i < nv; ++i) CHECK(near(qfrc[i], d.qfrc_constraint[i], 1e-9));
}
