// SPDX-License-Identifier: Apache-2.0
//
// Contacts and forces: a box stands on a floor and is pushed harder and harder, until friction can
// no longer hold it. Each contact tells who touches whom, where, and with what force.
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
      <geom name="wood" type="box" size=".2 .2 .1" mass="2" friction="0.5"/>
    </body>
  </worldbody>
</mujoco>)";

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  auto crate = data.body(*model, "crate").value();

  const double weight = 2 * 9.81;
  bool held = true;
  for (const double push : {0.2, 0.4, 0.6}) {  // in units of the weight
    crate.force() = corten::Vec3<double>(push * weight, 0, 0);
    for (int k = 0; k < 500; ++k) {
      if (const corten::Status status = corten::step(*model, data); !status) {
        return std::puts(status.to_string().c_str()), 1;
      }
    }

    corten::Vec3<double> sum = corten::Vec3<double>::Zero();
    for (const auto& contact : corten::contacts(*model, data)) {
      const auto a = model->geom_name(contact.geoms[0]), b = model->geom_name(contact.geoms[1]);
      std::printf("  %.*s touches %.*s at (%5.2f %5.2f): normal force %5.2f N\n", int(a.size()),
                  a.data(), int(b.size()), b.data(), contact.pos[0], contact.pos[1],
                  contact.force[0]);
      sum += contact.world_force();
    }
    std::printf("pushed by %5.2f N, friction %6.2f N, speed %.3f m/s\n", push * weight, sum[0],
                crate.velocity()[0]);
    const bool slides = crate.velocity()[0] > 0.1;
    held = held && slides == (push > 0.5) && std::abs(sum[2] - weight) < 0.01 * weight;
  }
  return held ? 0 : 1;
}
