// SPDX-License-Identifier: Apache-2.0
//
// Flexes and flexcomps: whole models against MuJoCo 3.12.0, files, the writer, specs in code, and
// what is refused.
#include <corten/mjcf/write.hpp>
#include <corten/spec/flexcomp_make.hpp>

#include "whole_models.hpp"

using namespace corten;
using compile_test::field;

namespace {

const char* const models[] = {"flex_lines", "flex_sheets", "flex_solids", "flex_nodes",
                              "flex_attach"};

// a flexcomp in the world, with a file of the given content
Result<Model<double>> with_file(const std::string& attributes, const std::string& content) {
  mjcf::ReadOptions options;
  options.file = "m.xml";
  options.load = [&](const std::string& path) -> std::optional<std::string> {
    return path.starts_with("shape.") ? std::optional(content) : std::nullopt;
  };
  const auto spec = mjcf::parse("<mujoco><worldbody>\n<flexcomp name='f' radius='.001' " +
                                    attributes + "/></worldbody></mujoco>",
                                options);
  if (!spec) return spec.error();
  return compile(*spec);
}

template <class T>
void append(std::string& out, std::initializer_list<T> values) {
  for (const T v : values) out.append(reinterpret_cast<const char*>(&v), sizeof v);
}

// two tetrahedra and a node that none of them uses, in all forms of Gmsh's format
const double nodes[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 5, 5}, {1, 1, 1}};
const int tets[2][4] = {{1, 2, 3, 4}, {2, 3, 4, 6}};

std::string gmsh2(bool binary) {
  std::string out = std::string("$MeshFormat\n2.2 ") + (binary ? "1" : "0") + " 8\n";
  if (binary) append<std::int32_t>(out, {1}), out += "\n";
  out += "$EndMeshFormat\n$Nodes\n6\n";
  for (int i = 0; i < 6; ++i) {
    const double* x = nodes[i];
    if (binary) {
      append<std::int32_t>(out, {i + 1});
      append<double>(out, {x[0], x[1], x[2]});
    } else {
      out += std::to_string(i + 1) + " " + std::to_string(x[0]) + " " + std::to_string(x[1]) + " " +
             std::to_string(x[2]) + "\n";
    }
  }
  out += "\n$EndNodes\n$Elements\n2\n";
  for (int i = 0; i < 2; ++i) {
    const int* v = tets[i];
    if (binary) {
      append<std::int32_t>(out, {4, 1, 2, i + 1, 7, 7, v[0], v[1], v[2], v[3]});
    } else {
      out += std::to_string(i + 1) + " 4 2 7 7";
      for (int k = 0; k < 4; ++k) out += " " + std::to_string(v[k]);
      out += "\n";
    }
  }
  return out + "\n$EndElements\n";
}

std::string gmsh4() {
  std::string out = "$MeshFormat\n4.1 1 8\n";
  append<std::int32_t>(out, {1});
  out += "\n$EndMeshFormat\n$Nodes\n";
  append<std::uint64_t>(out, {1, 6, 1, 6});
  append<std::int32_t>(out, {3, 1, 0});
  append<std::uint64_t>(out, {6, 1, 2, 3, 4, 5, 6});
  for (const auto& x : nodes) append<double>(out, {x[0], x[1], x[2]});
  out += "\n$EndNodes\n$Elements\n";
  append<std::uint64_t>(out, {1, 2, 1, 2});
  append<std::int32_t>(out, {3, 1, 4});
  append<std::uint64_t>(out, {2, 1, 1, 2, 3, 4, 2, 2, 3, 4, 6});
  return out + "\n$EndElements\n";
}

std::string refused(const std::string& flex, const std::string& rest = "") {
  const auto spec = mjcf::parse(
      "<mujoco><worldbody><body name='a'/><body name='b' pos='1 0 0'><joint type='slide'/><geom "
      "size='.1'/></body><body name='c' pos='0 1 0'/><body name='d' pos='0 0 1'/></worldbody>\n"
      "<deformable>" +
      flex + "</deformable>" + rest + "</mujoco>");
  if (!spec) return spec.error().to_string();
  const auto model = compile(*spec);
  return model ? "no error" : model.error().to_string();
}

}  // namespace

TEST_CASE("flexes compile to MuJoCo's arrays", "[compile][flex]") {
  compile_test::check_models("flex.json");
}

// The contacts of a flex that are kept can depend on the last bit of its points.
TEST_CASE("a disc has the points of MuJoCo to the last bit", "[compile][flex]") {
  const auto model = compile_test::compile(
      "<mujoco><worldbody><flexcomp name='f' type='disc' count='9 9 1' spacing='.1 .1 .1' "
      "pos='0 0 .5'/></worldbody></mujoco>");
  CHECK(model.body_pos[3] == -0.11313708498984762);
  CHECK(model.body_pos[12] == -0.15522280002325312);
  CHECK(model.body_pos[13] == -0.03880570000581328);
}

TEST_CASE("flexes survive the writer", "[compile][flex]") {
  for (const char* name : models) {
    INFO(name);
    const auto spec = mjcf::parse_file(compile_test::tests + "/models/" + name + ".xml");
    REQUIRE(spec.ok());
    const auto text = mjcf::write(*spec);
    if (!text) FAIL(text.error().to_string());
    CHECK(compile_test::difference(*compile(*spec), compile_test::compile(*text)) == "");
  }
}

TEST_CASE("a flexcomp in code is the flexcomp of a file", "[compile][flex][spec]") {
  Spec spec;
  spec.model_name = "MuJoCo Model";
  spec::Flexcomp e;
  e.name = "cloth";
  e.count = std::array<int, 3>{4, 3, 1};
  e.edge.equality = spec::FlexEquality::edge;
  e.pins.emplace_back().id = List<int>{0, 1};
  REQUIRE(spec::add_flexcomp(spec, spec.world, e));
  const Model<double> want = compile_test::compile(R"(<mujoco><worldbody>
    <flexcomp name="cloth" count="4 3 1"><edge equality="true"/><pin id="0 1"/></flexcomp>
    </worldbody></mujoco>)");
  CHECK(compile_test::difference(*compile(spec), want) == "");
  CHECK(spec.world.bodies.size() == 10);
  e.name.clear();
  CHECK(!spec::add_flexcomp(spec, spec.world, e));
}

TEST_CASE("copies of a flex follow copies of its bodies", "[compile][flex]") {
  const Model<double> m = compile_test::compile(R"(<mujoco><worldbody>
    <replicate count="2" offset="1 0 0" sep="-"><body name="post">
      <flexcomp name="cloth" count="3 3 1"><edge equality="true"/><pin id="0"/></flexcomp>
    </body></replicate></worldbody></mujoco>)");
  CHECK(m.names.flex == List<std::string>{"cloth-0", "cloth-1"});
  CHECK(m.n.neq == 2);
  CHECK(m.eq_obj1id[1] == 1);
  CHECK(m.names.body[static_cast<std::size_t>(m.flex_vertbodyid[9])] == "post-1");
  CHECK(m.names.body[static_cast<std::size_t>(m.flex_vertbodyid[10])] == "cloth_1-1");
}

TEST_CASE("flexcomps from files", "[compile][flex]") {
  const std::string direct =
      "<mujoco><worldbody><flexcomp name='f' radius='.001' type='direct' dim='3' point='0 0 0 1 0 "
      "0 0 1 0 0 0 1 1 1 1' element='0 1 2 3 1 2 3 4'/></worldbody></mujoco>";
  const Model<double> want = compile_test::compile(direct);
  for (const std::string& bytes : {gmsh2(false), gmsh2(true), gmsh4()}) {
    const auto got = with_file("type='gmsh' file='shape.msh'", bytes);
    if (!got) FAIL(got.error().to_string());
    CHECK(compile_test::difference(*got, want) == "");
    for (std::size_t cut : {bytes.size() / 3, bytes.size() / 2, 4 * bytes.size() / 5}) {
      CHECK(!with_file("type='gmsh' file='shape.msh'", bytes.substr(0, cut)));
    }
  }
  const std::string obj =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 0\n"
      "f 1 3 2\nf 5 2 4\nf 1 4 3\nf 2 3 4\n";
  const auto surface = with_file("type='mesh' file='shape.obj' dim='2'", obj);
  REQUIRE(surface.ok());
  CHECK(surface->n.nflexvert == 4);  // the last vertex is the first one again
  CHECK(surface->n.nflexelem == 4);
  const auto solid = with_file("type='mesh' file='shape.obj' dim='3' origin='.1 .1 .1'", obj);
  REQUIRE(solid.ok());
  CHECK(solid->n.nflexvert == 5);
  CHECK(solid->n.nflexelem == 4);
  const auto lines =
      with_file("type='mesh' file='shape.obj' dim='1'", "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n");
  REQUIRE(lines.ok());
  CHECK(field(*lines, "flex_elem") == std::vector<double>{0, 1, 1, 2});
  CHECK(with_file("type='mesh' file='shape.obj' dim='3'", obj).error().to_string() ==
        "m.xml:2:2: mujoco/worldbody/flexcomp 'f': origin is missing (a solid from a mesh needs "
        "one)");
}

TEST_CASE("flexes that cannot be are refused with a remedy", "[compile][flex]") {
  const auto flex = [](const std::string& attributes, const std::string& children = "") {
    return "<flex name='f' " + attributes + ">" + children + "</flex>";
  };
  const auto says = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
    CHECK(text.starts_with("2:14: mujoco/deformable/flex 'f': "));
  };
  const std::string sheet = "body='a b c' element='0 1 2'";
  CHECK(refused(flex(sheet)) == "no error");
  says(refused(flex("body='a b c' element=''")), "there are no elements (give element)");
  says(refused(flex("body='a b c' element='0 1 2 3'")), "element needs a multiple of 3 numbers");
  says(refused(flex("body='a b' element='0 1 2'")), "there are not enough vertices (");
  says(refused(flex("body='a b c' element='0 1 3'")),
       "vertex 3, which does not exist (vertices are numbered from 0 to 2)");
  says(refused(flex("body='a b c' element='0 1 1'")),
       "element 0 has vertex 1 twice (an element has 3 different vertices)");
  says(refused(flex("body='a b x' element='0 1 2'")), "unknown body 'x'");
  says(refused(flex("body='a b' element='0 1 2' vertex='0 0 0 1 0 0 0 1 0'")), "one for each of");
  says(refused(flex("body='a a c' element='0 1 2'")),
       "vertices 0 and 1 of element 0 are at the same place (merge them)");
  says(refused(flex("body='a b b' vertex='0 0 0 0 0 0 1 0 0' element='0 1 2'",
                    "<elasticity young='1' thickness='.1' elastic2d='stretch'/>")),
       "element 0 has no area (remove it, or move its vertices apart)");
  says(refused(flex("body='a b c d' dim='3' vertex='0 0 0 0 0 0 0 0 0 0 0 -1' element='0 1 2 3'",
                    "<elasticity young='1'/>")),
       "are at the same place");
  says(refused(flex("body='a b c d' dim='3' vertex='0 0 0 0 0 0 0 0 0 1 1 -1' element='0 1 2 3'",
                    "<elasticity young='1'/>")),
       "element 0 has no volume (remove it");
  says(refused(flex(sheet, "<elasticity young='1' poisson='.5'/>")), "poisson must be");
  says(refused(flex(sheet, "<elasticity young='1' elastic2d='bend'/>")), "needs a thickness");
  says(refused(flex(sheet, "<elasticity young='1' thickness='.1' elastic2d='bend'/>")),
       "body 'b' has 1 joints");
  says(refused(flex(sheet, "<edge stiffness='1'/>")), "edge stiffness needs dim=\"1\"");
  says(refused(flex(sheet, "<contact condim='2'/>")), "condim must be 1, 3, 4 or 6");
  says(refused(flex(sheet + " node='a b'", "<contact selfcollide='none'/>")), "a flex with nodes");
  says(refused(flex(sheet + " material='x'")), "unknown material 'x'");
  const auto nan =
      with_file("type='mesh' file='shape.obj'", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
  REQUIRE(!nan);
  CHECK(nan.error().to_string() ==
        "m.xml:2:2: mujoco/worldbody/flexcomp 'f': shape.obj:2:5: a vertex without three finite "
        "numbers (write v and three numbers below 3.4e38)");
  const auto empty = with_file("type='mesh' file='shape.obj'", "");
  REQUIRE(!empty);
  CHECK(empty.error().to_string() ==
        "m.xml:2:2: mujoco/worldbody/flexcomp 'f': shape.obj: the file is empty (save the mesh "
        "again)");
  const std::string text = gmsh2(false), bytes = gmsh2(true);
  const auto gmsh = [](std::string all, const char* from, const char* to) {
    all.replace(all.find(from), std::string(from).size(), to);
    const auto model = with_file("type='gmsh' file='shape.msh'", all);
    return model ? "no error" : model.error().to_string();
  };
  const auto finds = [](const std::string& error, const char* part) {
    INFO(error);
    CHECK(error.find(part) != std::string::npos);
  };
  finds(gmsh(text, "$EndNodes", "$EndNode"), "'f': shape.msh:13:1: expected $EndNodes (the counts");
  finds(gmsh(text, "$Nodes\n", "$Nodes\n1e"), "shape.msh:5:1: a bad number of nodes (the counts");
  finds(gmsh(text, "4 2 7 7 1 2", "4 2 7 7 1 8"), "shape.msh:16:17: an element refers to node 8");
  finds(gmsh(bytes, "$Elements\n", "$Elements\nx"), "a bad number of elements at byte 241 (the");
  const std::string equality = "<equality><flexvert flex='f'/></equality>";
  says(refused(flex("body='a b d' element='0 1 2'"), equality), "must be flat");
  const std::string held =
      refused(flex("body='a' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2'"), "\n" + equality);
  CHECK(held == "3:12: mujoco/equality/flexvert: flex 'f' is rigid");
  CHECK(refused(flex(sheet), "\n<equality><flex flex='g'/></equality>") ==
        "3:12: mujoco/equality/flex: unknown flex 'g' (did you mean 'f'?)");
}
