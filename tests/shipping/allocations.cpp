// SPDX-License-Identifier: Apache-2.0
//
// Counts the allocations of a step by replacing malloc and its relatives (operator new calls them).
// There must be none, for every integrator and solver, in free fall and in contact (000-1.1,
// 000-1.4, 000-2.6, 000-8.7), with soft bodies and flexes, and none for the matrices of a batch
// (000-10.5).
#include <corten/batch.hpp>
#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#ifdef __GLIBC__

namespace {
int allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) {
  ++allocations;
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  ++allocations;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : 12;
}
}

namespace {

// a trunk with a head, two arms and two legs: capsules, a box, ball and hinge joints, limits,
// sensors
std::string figure(const std::string& option) {
  std::string limbs;
  for (const char* side : {"-", ""}) {
    const std::string s = side;
    limbs += "<body pos='0 " + s +
             ".2 .2'><joint type='ball' damping='.5'/>"
             "<geom type='capsule' fromto='0 0 0 0 " +
             s +
             ".25 0' size='.04'/>"
             "<body pos='0 " +
             s +
             ".3 0'><joint axis='0 0 1' range='-100 100' limited='true'/>"
             "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.03'/></body></body>";
    limbs += "<body pos='0 " + s +
             ".1 -.3'><joint axis='0 1 0' range='-90 30' limited='true'"
             " damping='1'/><geom type='capsule' fromto='0 0 0 0 0 -.35' size='.06'/>"
             "<body pos='0 0 -.4'><joint name='knee" +
             s +
             "' axis='0 1 0' range='0 120' limited='true'"
             " frictionloss='.2' armature='.01'/><geom type='capsule' fromto='0 0 0 0 0 -.3' "
             "size='.05'/>"
             "<geom type='box' pos='.05 0 -.36' size='.1 .05 .03'/><site name='foot" +
             s +
             "' pos='0 0 -.36'"
             " size='.1'/></body></body>";
  }
  return "<mujoco><option " + option +
         "/><worldbody><geom type='plane' size='5 5 1'/>"
         "<body name='trunk' pos='0 0 1.1'><freejoint/><geom type='capsule' fromto='0 0 -.25 0 0 "
         ".25' size='.1'/>"
         "<geom type='sphere' pos='0 0 .45' size='.1'/>" +
         limbs +
         "</body></worldbody><actuator><motor joint='knee' gear='20' ctrlrange='-1 1' "
         "ctrllimited='true'/>"
         "<position joint='knee-' kp='20'/></actuator><sensor><jointpos joint='knee'/><touch "
         "site='foot'/>"
         "<accelerometer site='foot-'/><gyro site='foot'/></sensor><deformable><cloth pos='0 0 "
         "1.8' "
         "count='6 6' spacing='.06' substeps='3' repeat='2'/></deformable></mujoco>";
}

// sheets and solids that touch geoms, each other and themselves
std::string flexes(const std::string& option) {
  return "<mujoco><option " + option +
         "/><worldbody><geom type='plane' size='5 5 1'/><geom type='ellipsoid' size='.1 .1 .05'/>"
         "<flexcomp name='s' type='grid' count='4 4 1' spacing='.07 .07 .07' pos='0 0 .07' "
         "radius='.01' mass='.1' dim='2'><elasticity young='2e3' poisson='.2' thickness='1e-2' "
         "elastic2d='both' damping='.01'/><contact selfcollide='auto'/></flexcomp>"
         "<flexcomp name='b' type='grid' count='3 3 3' spacing='.05 .05 .05' pos='0 0 .15' "
         "radius='.01' mass='.2' dim='3'><edge equality='true'/><contact selfcollide='auto'/>"
         "</flexcomp><flexcomp name='c' type='grid' count='3 3 3' spacing='.05 .05 .05' "
         "pos='0 0 .3' radius='.01' mass='.2' dim='3' dof='trilinear'><elasticity young='1e4' "
         "poisson='.2' damping='.01'/><contact selfcollide='none' internal='false'/></flexcomp>"
         "<body pos='0 0 .5'><freejoint/><geom type='box' size='.04 .04 .04' mass='.1'/></body>"
         "</worldbody></mujoco>";
}

bool check(const char* what, const std::string& text, int steps = 600) {
  const auto model = corten::load_string(text);
  if (!model) {
    std::puts(model.error().to_string().c_str());
    return false;
  }
  corten::Data<double> data(*model, corten::Capacity{400, 2000});
  int most_contacts = 0;
  const int before = allocations;
  for (int i = 0; i < steps; ++i) {
    if (model->n.nu > 0) data.ctrl()[0] = i % 100 < 50 ? 0.5 : -0.5;
    if (!corten::step(*model, data)) return false;
    most_contacts = data.ncon() > most_contacts ? data.ncon() : most_contacts;
  }
  const int made = allocations - before;
  std::printf("%-12s %d steps, at most %d contacts: %d allocations\n", what, steps, most_contacts,
              made);
  return made == 0 && most_contacts >= 4;
}

// factors and solves alone, of dense and tree-structured matrices
bool check_factors() {
  const auto model = corten::load_string(figure(""));
  if (!model) return false;
  corten::Data<double> data(*model);
  if (!corten::forward(*model, data)) return false;
  const auto m = corten::make_ref<corten::DefaultPolicies>(*model);
  const auto& d = data.ref();
  const int nv = model->n.nv;
  const corten::Field<double> x = d.qacc_smooth, dense = d.sol_H;
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j < nv; ++j) dense[i * nv + j] = i == j ? 2 : 1;
  }
  const int before = allocations;
  bool ok = corten::cholesky(dense, nv);
  corten::cholesky_solve(dense, nv, x);
  corten::factor(m, d);
  corten::solve_M(m, d, x);
  corten::copy(d.qLD, d.M, model->n.nM);
  ok = corten::tree_lu_factor(m, nv, d.qLD, d.M, d.qLDiagInv) && ok;
  corten::tree_lu_solve(m, nv, d.qLD, d.M, d.qLDiagInv, x);
  const int made = allocations - before;
  std::printf("factors and solves: %d allocations\n", made);
  return ok && made == 0;
}

// a batch copies directly between matrices and the data of its worlds
bool check_matrices() {
  const auto model = corten::load_string(figure(""));
  if (!model) return false;
  corten::Batch<double> batch(*model, 3, corten::Capacity{200, 1000}, 1);
  if (!batch.step_all()) return false;
  const auto numbers = [&](int count) { return std::vector<double>(std::size_t(3 * count)); };
  std::vector<double> states = numbers(batch.state_size()), controls = numbers(model->n.nu),
                      readings = numbers(model->n.nsensordata);
  const int before = allocations;
  bool ok = batch.read_states(states) && batch.read_sensors(readings);
  ok = batch.write_states(states) && batch.write_controls(controls) && ok;
  const int made = allocations - before;
  std::printf("matrices of a batch: %d allocations\n", made);
  return ok && made == 0;
}

// Derivatives after the first call, with the solver's solution polished or as it is: of the state,
// of sensors, and the adjoint.
bool check_derivatives(bool polish, const std::string& options) {
  const auto model = corten::load_string(figure(options));
  if (!model) return false;
  corten::Data<double> data(*model, corten::Capacity{200, 1000});
  corten::derive::Linearizer<double> linearizer(*model, corten::Capacity{200, 1000});
  linearizer.polish = polish;
  int made = 0;
  bool ok = true;
  for (int i = 0; i < 300; ++i) {
    ok = corten::step(*model, data).ok() && ok;
    if (i % 30 != 0) continue;
    const std::vector<double> next(static_cast<std::size_t>(2 * model->n.nv + model->n.na), 1.0);
    const int before = allocations;
    linearizer.sensors = true;
    ok = linearizer(*model, data).status.ok() && ok;
    ok = linearizer.pullback(*model, data, next.data()).status.ok() && ok;
    if (i > 0) made += allocations - before;
  }
  std::printf("derivatives, %s%s: %d allocations\n", options.c_str(), polish ? ", polished" : "",
              made);
  return ok && made == 0 && data.nefc() > 0;
}

}  // namespace

int main() {
  // does the counter work?
  const int before = allocations;
  delete new std::string(100, 'x');
  if (allocations - before != 2) return 1;

  bool ok = check_factors();
  ok = check_matrices() && ok;
  for (const char* options : {"solver='PGS'", "integrator='RK4'", "integrator='implicitfast'"}) {
    ok = check_derivatives(false, options) && check_derivatives(true, options) && ok;
  }
  ok = check("Euler Newton", figure("integrator='Euler' solver='Newton'")) && ok;
  ok = check("Euler PGS", figure("integrator='Euler' solver='PGS'")) && ok;
  ok = check("RK4 Newton", figure("integrator='RK4' solver='Newton'")) && ok;
  ok = check("RK4 PGS", figure("integrator='RK4' solver='PGS'")) && ok;
  ok = check("implicit", figure("integrator='implicit' density='1.2' viscosity='2e-5'")) && ok;
  ok = check("implicitfast", figure("integrator='implicitfast' density='1.2' viscosity='2e-5'")) &&
       ok;
  ok = check("springdamper", figure("integrator='implicitspringdamper'")) && ok;
  ok = check("flexes", flexes("timestep='.001'"), 150) && ok;
  ok = check("flex metric", flexes("integrator='implicitfast' solver='CG'"), 80) && ok;
  return ok ? 0 : 1;
}

#else
int main() { std::puts("not counted: only glibc lets a program replace malloc this way"); }
#endif
