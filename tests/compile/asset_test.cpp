// SPDX-License-Identifier: Apache-2.0
//
// Meshes and height fields, from MJCF to the arrays of the model: frames, inertia, fits, files,
// errors.
#include "../support/model.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

using corten::Model;

namespace {

using Files = std::map<std::string, std::string>;

corten::Result<Model<double>> load(const std::string& text, const Files& files = {}) {
  corten::mjcf::ReadOptions options;
  options.file = "dir/model.xml";
  options.directory = "dir/";
  options.load = [&files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
  const auto spec = corten::mjcf::parse(text, options);
  if (!spec) return spec.error();
  return corten::compile(*spec);
}

std::string failure(const std::string& text, const Files& files = {}) {
  const auto out = load(text, files);
  return out.ok() ? "no error" : out.error().to_string();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// a model with assets and a body with geoms
std::string with(const std::string& assets, const std::string& geoms = "<geom size='1'/>") {
  return "<mujoco><asset>" + assets + "</asset><worldbody><body><freejoint/>" + geoms +
         "</body></worldbody></mujoco>";
}

const std::string box = "0 0 0 2 0 0 0 4 0 2 4 0 0 0 6 2 0 6 0 4 6 2 4 6";  // 2 x 4 x 6
const std::string tetrahedron = "0 0 0 1 0 0 0 2 0 0 0 3";

std::string obj(const std::string& vertices) {
  std::string out;
  for (std::size_t i = 0, n = 0; i < vertices.size(); ++n) {
    const std::size_t end = std::min(vertices.find(' ', i), vertices.size());
    out += (n % 3 == 0 ? "\nv " : " ") + vertices.substr(i, end - i);
    i = end + 1;
  }
  return out + "\n";
}

}  // namespace

TEST_CASE("a mesh has the inertia of its solid, about its centre", "[compile]") {
  const auto model = support::checked(load(
      with("<mesh name='m' vertex='" + box + "'/>", "<geom type='mesh' mesh='m' density='10'/>")));
  CHECK(model.n.nmesh == 1);
  CHECK(model.names.mesh[0] == "m");
  CHECK(model.geom_dataid[0] == 0);
  CHECK(near(model.body_mass[1], 480, 1e-12));
  for (std::size_t k = 0; k < 3; ++k) CHECK(near(model.body_ipos[3 + k], double(k + 1), 1e-12));
  // moments of a box, largest first
  CHECK(near(model.body_inertia[3], 480.0 * (16 + 36) / 12, 1e-12));
  CHECK(near(model.body_inertia[4], 480.0 * (4 + 36) / 12, 1e-12));
  CHECK(near(model.body_inertia[5], 480.0 * (4 + 16) / 12, 1e-12));
  CHECK(near(model.geom_rbound[0], std::sqrt(14.0), 1e-12));
  // corners in float, about the centre; hull and faces
  CHECK(model.n.nmeshvert == 8);
  CHECK(std::fabs(model.mesh_vert[2]) == 3.0f);
  CHECK(model.mesh_graph[0] == 8);
  CHECK(model.mesh_graph[1] == 12);
  CHECK(model.mesh_polynum[0] == 6);
  for (int i = 0; i < 6; ++i) CHECK(model.mesh_polyvertnum[std::size_t(i)] == 4);
}

// A flat pyramid on a larger one: its three triangles form one face, whose three edges MuJoCo
// 3.12.0 takes in the order in which they were left. The normal of that face points inwards.
TEST_CASE("a face of three edges may point inwards, as in MuJoCo", "[compile]") {
  const auto model = support::checked(
      load(with("<mesh name='m' vertex='-1 -1 0 1 -1 0 0 1 0 0 -.3 .0001 0 -.3333333333 -1'/>",
                "<geom type='mesh' mesh='m'/>")));
  const int corner[12] = {0, 2, 1, 4, 2, 1, 2, 4, 0, 4, 1, 0};
  REQUIRE(model.mesh_polyvert.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) CHECK(model.mesh_polyvert[i] == corner[i]);
}

TEST_CASE("the modes of inertia", "[compile]") {
  // an L-shaped prism, which does not fill its hull
  const std::string l =
      "vertex='0 0 0 3 0 0 3 1 0 1 1 0 1 3 0 0 3 0 0 0 1 3 0 1 3 1 1 1 1 1 1 3 1 0 3 1' "
      "face='0 2 1 0 3 2 0 5 3 5 4 3 6 7 8 6 8 9 6 9 11 11 9 10 0 1 7 0 7 6 1 2 8 1 8 7 "
      "2 3 9 2 9 8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11'";
  const auto mass = [&](const std::string& mode) {
    const auto model = support::checked(load(
        with("<mesh name='m' " + l + mode + "/>", "<geom type='mesh' mesh='m' density='1'/>")));
    return model.body_mass[1];
  };
  CHECK(near(mass(" inertia='exact'"), 5, 1e-12));
  CHECK(near(mass(" inertia='convex'"), 7, 1e-12));
  CHECK(near(mass(" inertia='shell'"), 2 * 5 + 12, 1e-12));
  CHECK(near(mass(" inertia='exact' scale='1 -1 1'"), 5, 1e-12));  // mirrored
  CHECK(near(mass(" inertia='exact' scale='2 2 2' refpos='1 2 3' refquat='1 2 3 4'"), 40, 1e-12));
  // turned inside out the volume is negative, unless the mode does not care
  const std::string inside_out = "vertex='" + tetrahedron + "' face='0 1 2 0 3 1 0 2 3 1 3 2'";
  CHECK(has(failure(with("<mesh name='m' inertia='exact' " + inside_out + "/>")),
            "volume is negative"));
  CHECK(load(with("<mesh name='m' " + inside_out + "/>")).ok());
}

TEST_CASE("only meshes that collide have a hull", "[compile]") {
  const std::string asset =
      "<mesh name='m' vertex='" + tetrahedron + "' face='0 2 1 0 1 3 0 3 2 1 2 3'/>";
  const std::string geom = "<geom type='mesh' name='g' mesh='m' contype='0' conaffinity='0'/>";
  CHECK(support::checked(load(with(asset, geom))).mesh_graphadr[0] == -1);
  std::string paired = with(asset, geom + "<geom name='s' size='1'/>");
  paired.insert(paired.find("</mujoco>"), "<contact><pair geom1='g' geom2='s'/></contact>");
  CHECK(support::checked(load(paired)).mesh_graphadr[0] == 0);
}

TEST_CASE("primitives are fitted to a mesh", "[compile]") {
  const std::string asset = "<mesh name='m' vertex='" + box + "'/>";
  const auto sizes = [&](const std::string& type, bool around) {
    std::string text = with(asset, "<geom mesh='m' fitscale='2' type='" + type + "'/>");
    if (around) text.insert(8, "<compiler fitaabb='true'/>");
    const auto model = support::checked(load(text));
    return std::vector<double>(model.geom_size.begin(), model.geom_size.begin() + 3);
  };
  // principal axes put the longest side first
  CHECK(near(sizes("box", false)[0], 2 * 1, 1e-12));
  CHECK(near(sizes("box", false)[2], 2 * 3, 1e-12));
  CHECK(near(sizes("sphere", false)[0], 2 * 2, 1e-12));
  CHECK(near(sizes("sphere", true)[0], 2 * 3, 1e-12));
  CHECK(near(sizes("cylinder", true)[0], 2 * 2, 1e-12));
  CHECK(near(sizes("cylinder", true)[1], 2 * 3, 1e-12));
  CHECK(near(sizes("capsule", true)[1], 2 * 1, 1e-12));
  CHECK(has(failure("<mujoco><asset>" + asset +
                    "</asset><worldbody><geom mesh='m' type='plane'/></worldbody></mujoco>"),
            "cannot be fitted"));
}

TEST_CASE("files are found by MuJoCo's rules", "[compile]") {
  const std::string mesh = obj(tetrahedron);
  const std::string geom = "<geom type='mesh' mesh='part'/>";
  const auto found = [&](const std::string& compiler, const std::string& file,
                         const std::string& path) {
    std::string text = with("<mesh file='" + file + "'/>", geom);
    text.insert(8, compiler);
    return load(text, {{path, mesh}}).ok();
  };
  CHECK(found("", "part.obj", "dir/part.obj"));
  CHECK(found("", "a/../part.OBJ", "dir/part.OBJ"));
  CHECK(found("<compiler meshdir='m'/>", "part.obj", "dir/m/part.obj"));
  CHECK(found("<compiler assetdir='a'/>", "part.obj", "dir/a/part.obj"));
  CHECK(found("<compiler assetdir='a' meshdir='m'/>", "part.obj", "dir/m/part.obj"));
  CHECK(found("<compiler strippath='true'/>", "/far/away/part.obj", "dir/part.obj"));
  CHECK(found("<compiler meshdir='/m'/>", "part.obj", "/m/part.obj"));
  CHECK_FALSE(found("", "part.obj", "part.obj"));

  // next to the file that mentions it
  const std::string main = "<mujoco><include file='sub/robot.xml'/></mujoco>";
  const std::string robot = with("<mesh file='part.obj'/>", geom);
  CHECK(load(main, {{"dir/sub/robot.xml", robot}, {"dir/sub/part.obj", mesh}}).ok());
  CHECK(load(main, {{"dir/sub/robot.xml", robot}, {"dir/part.obj", mesh}}).ok());

  // identified by content_type, whatever the file name
  CHECK(load(with("<mesh name='part' file='x' content_type='model/obj'/>", geom), {{"dir/x", mesh}})
            .ok());
  const std::string none = failure(with("<mesh file='part.obj'/>"));
  CHECK(has(none, "dir/model.xml:1:"));
  CHECK(has(none, "cannot read 'part.obj'"));
  CHECK(has(failure(with("<mesh file='part.ply'/>"), {{"dir/part.ply", "x"}}),
            "not a supported kind of mesh"));
  CHECK(has(failure(with("<mesh file='part.stl'/>"), {{"dir/part.stl", "x"}}), "dir/part.stl: "));
}

TEST_CASE("impossible meshes", "[compile]") {
  const auto why = [](const std::string& attributes, const std::string& geom = "<geom size='1'/>") {
    return failure(with("<mesh name='m' " + attributes + "/>", geom));
  };
  const std::string use = "<geom type='mesh' mesh='m'/>";
  CHECK(has(why(""), "at least 4 vertices"));
  CHECK(has(why("vertex='0 0 0 1'"), "multiple of 3"));
  CHECK(has(why("vertex='" + tetrahedron + "' face='0 1'"), "multiple of 3"));
  CHECK(has(why("vertex='" + tetrahedron + "' face='0 1 4'"), "does not exist"));
  CHECK(has(why("vertex='" + tetrahedron + "' texcoord='0 0'"), "two numbers for each vertex"));
  CHECK(has(why("vertex='0 0 0 1 0 0 0 1 0 1 1 0'", use), "in a plane"));
  CHECK(has(why("vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2'"), "volume is too small"));
  CHECK(has(why("vertex='0 0 0 1 0 0 2 0 0 3 0 0' face='0 1 2'"), "area is too small"));
  CHECK(has(why("vertex='0 0 0 1 0 0 0 1 0 0 0 1e99'"), "not finite"));
  CHECK(has(why("vertex='" + tetrahedron + "' maxhullvert='3'"), "larger than 3"));
  CHECK(has(why("builtin='sphere'"), "params"));
  CHECK(has(why("builtin='sphere' params='9'"), "between 0 and 4"));
  CHECK(has(why("builtin='sphere' params='1' vertex='" + tetrahedron + "'"), "exclude each other"));
  CHECK(has(why("inertia='exact' vertex='" + tetrahedron + "' face='0 1 2 0 1 3'"), "orientation"));
  CHECK(has(failure(with("", use)), "unknown mesh 'm'"));
  CHECK(has(failure(with("", "<geom type='mesh'/>")), "mesh is missing"));
  CHECK(has(failure(with("<mesh name='m' vertex='" + tetrahedron + "'/>",
                         "<geom type='mesh' mesh='m' fromto='0 0 0 1 1 1'/>")),
            "fromto"));
  CHECK(
      has(failure(with("<mesh name='m' vertex='" + tetrahedron + "'><plugin/></mesh>")), "plugin"));
}

TEST_CASE("height fields", "[compile][001-6a.1][001-6a.9]") {
  const auto model = support::checked(load(
      "<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='5 4 1 0.1' elevation='1 2 3 4 5 7'/>"
      "</asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>"));
  CHECK(model.n.nhfield == 1);
  CHECK(model.geom_type[0] == int(corten::GeomType::hfield));
  CHECK(model.geom_dataid[0] == 0);
  CHECK((model.hfield_nrow[0] == 2 && model.hfield_ncol[0] == 3));
  // the first row of the text is the last of the data; heights are scaled to 0 … 1
  CHECK(model.hfield_data[0] == 0.5f);
  CHECK(model.hfield_data[2] == 1.0f);
  CHECK(model.hfield_data[3] == 0.0f);
  CHECK(near(model.geom_size[2], 0.25 * 1 + 0.5 * 0.1, 1e-12));
  CHECK(near(model.geom_aabb[5], 0.55, 1e-12));
  CHECK(near(model.geom_rbound[0], std::sqrt(25.0 + 16 + 1), 1e-12));
}

TEST_CASE("impossible height fields", "[compile][001-6a.7][001-6a.8][001-6a.12]") {
  const std::string good = "<hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/>";
  CHECK(has(failure(with(good, "<geom type='hfield'/>")), "hfield is missing"));
  CHECK(has(failure(with(good, "<geom type='hfield' hfield='g'/>")), "unknown hfield 'g'"));
  CHECK(has(failure(with(good, "<geom name='ground' type='hfield'/>")), "geom 'ground'"));
  CHECK(
      has(failure(with(good, "<geom name='ground' type='hfield' hfield='g'/>")), "geom 'ground'"));
  CHECK(has(failure(with(good, "<geom type='box' size='1 1 1' hfield='h'/>")),
            "needs type=\"hfield\""));
  CHECK(has(failure(with(good + good)), "repeated hfield name 'h'"));
  CHECK(has(failure(with("<hfield name='h' nrow='2' ncol='2'/>")), "'size' is missing"));
  CHECK(has(failure(with("<hfield name='h' nrow='2' ncol='2' size='1 1 1 0'/>")), "positive"));
  CHECK(has(failure(with("<hfield name='h' size='1 1 1 1'/>")), "nrow and ncol"));
  CHECK(has(failure(with("<hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2'/>")),
            "2 heights"));
  CHECK(has(failure(with("<hfield name='h' nrow='99999' ncol='99999' size='1 1 1 1'/>")),
            "too large"));
  const std::string file = with("<hfield file='f.bin' size='1 1 1 1'/>");
  const std::string header("\2\0\0\0\1\0\0\0", 8);
  CHECK(load(file, {{"dir/f.bin", header + std::string(8, '\0')}}).ok());
  CHECK(has(failure(file, {{"dir/f.bin", header + std::string(7, '\0')}}),
            "dir/f.bin: the file size does not match"));
  CHECK(has(failure(file, {{"dir/f.bin", "abc"}}), "cut off"));
  CHECK(has(failure(file, {{"dir/f.bin", std::string("\xff\xff\xff\x7f\xff\xff\xff\x7f", 8)}}),
            "the file size does not match"));
  CHECK(has(failure(with("<hfield file='f.png' size='1 1 1 1'/>"), {{"dir/f.png", "abc"}}),
            "not a PNG"));
  CHECK(has(failure(with("<hfield file='f.stl' size='1 1 1 1'/>"), {{"dir/f.stl", "abc"}}),
            "not a supported kind of height"));
}
