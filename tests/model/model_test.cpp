// SPDX-License-Identifier: Apache-2.0
//
// Names and ids; a compiled model as bytes, which reads back as the same model or as an error.
#include <corten/model/bytes.hpp>

#include "../support/catch.hpp"
#include "../support/model.hpp"

using namespace corten;

namespace {

// two bodies that share their names with other kinds, unnamed geoms, a keyframe
constexpr const char* named = R"(<mujoco>
  <worldbody>
    <body name="torso">
      <freejoint name="root"/>
      <geom name="torso" size="0.1"/>
      <geom size="0.1"/>
      <body name="thigh" pos="0 0 0.3">
        <joint name="hip"/>
        <geom size="0.1"/>
        <site name="foot"/>
      </body>
    </body>
  </worldbody>
  <sensor><framepos name="place" objtype="site" objname="foot"/></sensor>
  <keyframe><key name="home"/><key/></keyframe>
</mujoco>)";

std::string message(const Result<int>& id) { return id ? "found" : id.error().to_string(); }

std::string source_refusal(std::string_view bytes) {
  const auto source = source_from_bytes(bytes);
  return source ? std::string() : source.error().to_string();
}

// the error of bytes that should be refused
std::string refusal(std::string_view bytes) {
  const auto model = from_bytes(bytes);
  return model ? std::string() : model.error().to_string();
}

}  // namespace

TEST_CASE("ids by name and names by id", "[model][names]") {
  const Model<double> model = load_string(named).value();
  CHECK(model.body("world").value() == 0);
  CHECK(model.body("thigh").value() == 2);
  CHECK(model.joint("hip").value() == 1);
  CHECK(model.geom("torso").value() == 0);
  CHECK(model.site("foot").value() == 0);
  CHECK(model.sensor("place").value() == 0);
  CHECK(model.key("home").value() == 0);
  CHECK(model.body_name(1) == "torso");
  CHECK(model.geom_name(1).empty());
  CHECK(model.geom_name(-1).empty());
  CHECK(model.geom_name(99).empty());
  CHECK(cast<float>(model).body("thigh").value() == 2);

  CHECK(message(model.body("tigh")) == "there is no body 'tigh' (did you mean 'thigh'?)");
  CHECK(message(model.body("hip")) ==
        "there is no body 'hip' (did you mean the joint of that name?)");
  CHECK(message(model.body("elephant")) ==
        "there is no body 'elephant' (there are 'world', 'torso', 'thigh')");
  CHECK(message(model.camera("front")) == "there is no camera 'front' (none has a name)");
  CHECK_FALSE(model.geom("").ok());  // unnamed geoms are not found by their empty names
}

TEST_CASE("every named object of a model is found", "[model][names]") {
  for (const char* name : {"actuators", "equality", "sensors", "tendons", "terrain", "meshes"}) {
    const Model<double> model = support::load(name);
    const Model<double> again = from_bytes(to_bytes(model)).value();
    int found = 0;
    for (const auto& kind : detail::name_kinds) {
      const auto& names = model.names.of(kind.kind);
      for (std::size_t id = 0; id < names.size(); ++id) {
        if (names[id].empty()) continue;
        INFO(name << ": " << kind.word << " " << names[id]);
        CHECK(model.names.find(kind.kind, names[id]).value() == int(id));
        CHECK(again.names.find(kind.kind, names[id]).value() == int(id));
        ++found;
      }
    }
    CHECK(found > 2);
  }
}

TEST_CASE("names that were edited after the index was built", "[model][names]") {
  Model<double> model = load_string(named).value();
  std::swap(model.names.body[1], model.names.body[2]);
  CHECK(model.body("thigh").value() == 1);
  CHECK(model.body("torso").value() == 2);
  model.names.body[1] = "leg";
  CHECK_FALSE(model.body("thigh").ok());
  CHECK(model.body("leg").value() == 1);
  model.names.body.resize(2);
  CHECK_FALSE(model.body("torso").ok());
  Names fresh;
  fresh.site = {"tip"};
  CHECK(fresh.find(Names::Kind::site, "tip").value() == 0);
}

TEST_CASE("a model read from bytes is the same model", "[model][bytes]") {
  for (const char* name : {"contacts", "sensors", "sensor_assets", "tendons", "touch"}) {
    INFO(name);
    const Model<double> model = support::load(name);
    const std::string bytes = to_bytes(model);
    const auto again = from_bytes(bytes);
    REQUIRE(again.ok());
    CHECK(to_bytes(*again) == bytes);
    CHECK(again->names.body == model.names.body);
    CHECK(again->names.model == model.names.model);

    Data<double> a(model), b(*again);
    for (int i = 0; i < 20; ++i) {
      REQUIRE(step(model, a).ok());
      REQUIRE(step(*again, b).ok());
    }
    REQUIRE(a.qpos().size() == b.qpos().size());
    for (std::size_t i = 0; i < a.qpos().size(); ++i) CHECK(a.qpos()[i] == b.qpos()[i]);
  }
}

TEST_CASE("a model read from bytes keeps its scalar", "[model][bytes]") {
  const Model<double> model = support::load("contacts");
  const auto single = cast<float>(model);
  const auto dual = cast<Dual<double, 2>>(model);
  CHECK(from_bytes<float>(to_bytes(single))->body_mass[1] == single.body_mass[1]);
  CHECK(from_bytes<Dual<double, 2>>(to_bytes(dual))->body_mass[1].a == model.body_mass[1]);
  CHECK(
      refusal(to_bytes(single)) ==
      "compiled by another version of corten, or for another scalar or machine (compile it again)");
  CHECK_FALSE(from_bytes<float>(to_bytes(model)).ok());
  CHECK_FALSE(from_bytes<Dual<double, 1>>(to_bytes(dual)).ok());
}

TEST_CASE("damaged bytes of a model are refused", "[model][bytes]") {
  const std::string bytes = to_bytes(support::load("contacts"));
  CHECK(refusal("") == "too short for a compiled model");
  CHECK(refusal("<mujoco model='a longer text than the header is'/>") ==
        "not a compiled model (to_bytes makes one; load reads MJCF)");
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    CHECK_FALSE(refusal(std::string_view(bytes).substr(0, size)).empty());
  }
  CHECK(refusal(bytes + " ") == "the compiled model is damaged (compile it again)");
  for (std::size_t at = 0; at < bytes.size(); at += 61) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 4);
    CHECK_FALSE(refusal(other).empty());
  }
}

TEST_CASE("bytes carry what the model was compiled from", "[model][bytes]") {
  const Model<double> model = support::load("contacts");
  const Source source{"<mujoco/>", {{"a.obj", std::string("v\0", 2)}, {"b.png", ""}}};
  const std::string bare = to_bytes(model), bytes = to_bytes(model, source);
  CHECK(bytes.starts_with(bare));
  CHECK(to_bytes(from_bytes(bytes).value()) == bare);
  const Source again = source_from_bytes(bytes).value();
  CHECK(again.mjcf == source.mjcf);
  REQUIRE(again.files.size() == 2);
  CHECK(again.find("a.obj")->bytes == source.files[0].bytes);
  CHECK(again.find("b.png")->bytes.empty());
  CHECK(again.find("c.png") == nullptr);
  CHECK(source_refusal(bare) ==
        "the compiled model does not carry the MJCF text that it was compiled from (use the MJCF "
        "file itself)");

  // a model that this version cannot read still gives its source
  const std::string other = to_bytes(cast<float>(model), source);
  CHECK(refusal(other) ==
        "compiled by another version of corten, or for another scalar or machine (compile it "
        "again; it carries its MJCF text, see source_from_bytes)");
  CHECK(source_from_bytes(other).value().mjcf == source.mjcf);
}

TEST_CASE("a damaged source is refused", "[model][bytes]") {
  const Model<double> model = load_string("<mujoco/>").value();
  const std::string bare = to_bytes(model);
  const std::string bytes = to_bytes(model, {"<mujoco/>", {{"a.obj", "v"}}});
  for (std::size_t size = bare.size() + 1; size < bytes.size(); ++size) {
    CHECK_FALSE(refusal(bytes.substr(0, size)).empty());
    CHECK_FALSE(source_refusal(bytes.substr(0, size)).empty());
  }
  for (std::size_t at = bare.size(); at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 4);
    CHECK_FALSE(source_refusal(other).empty());
  }
  CHECK_FALSE(source_refusal(bytes + " ").empty());
  // whole, but no source that to_bytes has written: lengths that point past the end
  const auto with = [&](const std::string& content) {
    std::string out = bare;
    detail::append_part('s', detail::source_layout, content, out);
    return out;
  };
  CHECK_FALSE(source_refusal(with("")).empty());
  CHECK_FALSE(source_refusal(with(std::string(8, '\xff'))).empty());
  CHECK_FALSE(source_refusal(with(std::string(8, '\0') + std::string(8, '\x7f'))).empty());
  // and names that lead elsewhere
  for (const char* name : {"", ".", "..", "../a", "/a", "a/b", "a\\b", "c:a", "a\nb", "ü"}) {
    INFO(name);
    CHECK_FALSE(source_refusal(to_bytes(model, {"", {{name, "x"}}})).empty());
  }
  std::string newer = bare;
  detail::append_part('s', detail::source_layout + 1, "?", newer);
  CHECK(source_refusal(newer) ==
        "the source of the compiled model has a newer format (use a newer corten)");
  CHECK(from_bytes(newer).ok());
}
