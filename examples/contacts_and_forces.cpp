// SPDX-License-Identifier: Apache-2.0
//
// Contacts and forces: a crate stands on a floor and is pushed sideways. Each contact tells who
// touches whom, where, and with what force. Friction balances the push, and the centre of pressure
// moves towards the front edge: by the height of the push times its share of the weight.
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>

constexpr const char* text = R"(
<mujoco>
  <option cone="elliptic"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="crate" pos="0 0 .1">
      <freejoint/>
      <geom name="wood" type="box" size=".2 .2 .1" mass="2"/>
    </body>
  </worldbody>
</mujoco>)";

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  auto crate = data.body(*model, "crate").value();

  const double weight = 2 * 9.81, height = 0.1;
  bool right = true;
  for (const double share : {0.0, 0.2, 0.4}) {
    crate.force() = corten::Vec3<double>(share * weight, 0, 0);
    for (int k = 0; k < 500; ++k) {
      if (const corten::Status status = corten::step(*model, data); !status) {
        return std::puts(status.to_string().c_str()), 1;
      }
    }

    corten::Vec3<double> sum = corten::Vec3<double>::Zero();
    double pressure = 0;
    for (const auto& contact : corten::contacts(*model, data)) {
      const auto a = model->geom_name(contact.geoms[0]), b = model->geom_name(contact.geoms[1]);
      std::printf("  %s touches %s at (%5.2f %5.2f), normal force %.2f N\n", a.data(), b.data(),
                  contact.pos[0], contact.pos[1], contact.force[0]);
      sum += contact.world_force();
      pressure += (contact.pos[0] - crate.pos()[0]) * contact.force[0];
    }
    std::printf("pushed by %.2f N: friction %.2f N, pressure centred at %.4f m\n", share * weight,
                sum[0], pressure / sum[2]);
    right = right && std::abs(sum[2] - weight) < 0.01 && std::abs(sum[0] + share * weight) < 0.01 &&
            std::abs(pressure / sum[2] - share * height) < 0.001;
  }
  return right ? 0 : 1;
}
