// SPDX-License-Identifier: Apache-2.0
#include <corten/mjcf/numbers.hpp>
#include <corten/mjcf/xml.hpp>

#include <limits>
#include <string>
#include <vector>

#include "../support/catch.hpp"

using namespace corten;
using mjcf::parse_xml;

namespace {

// "line:column message" of the error
std::string failure(std::string_view text) {
  const auto root = parse_xml("t.xml", text);
  if (root.ok()) return "no error";
  const Error& e = root.error();
  CHECK(e.where.file == "t.xml");
  return std::to_string(e.where.line) + ":" + std::to_string(e.where.column) + " " + e.message;
}

}  // namespace

TEST_CASE("elements and attributes know their position", "[mjcf]") {
  const auto root = parse_xml("t.xml",
                              "<?xml version='1.0'?>\n<!-- c < > -->\n<!DOCTYPE mujoco>\n"
                              "<a>\n  <b x='1'\n     y=\"2 &lt; &#65;\"/>\n</a>\n<!-- end -->\n");
  REQUIRE(root.ok());
  CHECK(root->where().line == 4);
  CHECK(root->where().column == 2);
  REQUIRE(root->children.size() == 1);
  const auto& b = root->children[0];
  CHECK(b.where().line == 5);
  CHECK(b.where().column == 4);
  REQUIRE(b.attributes.size() == 2);
  CHECK(b.where(b.attributes[0]).column == 6);
  CHECK(b.where(b.attributes[1]).line == 6);
  CHECK(b.where(b.attributes[1]).column == 6);
  CHECK(b.attributes[1].value == "2 < A");
  CHECK(b.find("z") == nullptr);
}

TEST_CASE("a byte order mark does not move columns", "[mjcf]") {
  CHECK(parse_xml("t.xml", "\xEF\xBB\xBF<a/>")->where().column == 2);
}

TEST_CASE("text between tags is kept with its position", "[mjcf]") {
  const auto root = parse_xml("t.xml", "<a>\n <b/> hello\n</a>");
  REQUIRE(root.ok());
  CHECK(root->text == "hello");
  CHECK(root->where_text().line == 2);
  CHECK(root->where_text().column == 7);
}

TEST_CASE("broken structure is found where it is", "[mjcf]") {
  CHECK(failure("") == "1:1 the text has no XML element");
  CHECK(failure(" \n \n") == "3:1 the text has no XML element");
  CHECK(failure("<!-- only -->") == "1:14 the text has no XML element");
  CHECK(failure("hello") == "1:1 the text does not start with an XML element");
  CHECK(failure("<a/>\n more") == "2:2 text after the end of the root element");
  CHECK(failure("<a/>\n<b/>") == "2:1 a second root element");
  CHECK(failure("<a>\n<b>\n</a>") == "3:1 </a> does not close <b> on line 2");
  CHECK(failure("<a></a></b>") == "1:8 </b> closes nothing");
  CHECK(failure("<a>\n  <b>\n  </b>\n") == "4:1 the text ends inside <a>");
  CHECK(failure("<a>\n <b x='1'\n <c/></a>") == "2:2 the tag <b is not closed");
  CHECK(failure("<a>\n <b") == "2:2 the tag <b is not closed");
  CHECK(failure("<a>\n <b x='1") == "2:7 the quoted text is not closed");
  CHECK(failure("<a>\n <!-- ") == "2:2 the comment is not closed");
  CHECK(failure("<a>\n <![CDATA[ ") == "2:2 the CDATA section is not closed");
  CHECK(failure("<a>< b/></a>") == "1:4 '<' without an element name");
  CHECK(failure("<a><!ELEMENT b></a>") == "1:4 unknown markup");
  CHECK(failure("<a>\n<b x=1/></a>") == "2:6 malformed XML: expected ' or \"");
  CHECK(failure("<a>\n<b x/></a>") == "2:5 malformed XML: expected =");
  CHECK(failure("<a x='1'\n x='2'/>") == "2:2 attribute 'x' is given twice");
}

TEST_CASE("RapidXML sees only tags that it accepts", "[mjcf]") {
  CHECK(failure("<a/b>") == "1:4 malformed XML: expected >");
  CHECK(failure("<a?b>") == "1:3 malformed XML: expected >");
  CHECK(failure("<a/ >") == "1:4 malformed XML: expected >");
  CHECK(failure("<a x='1' =>") == "1:10 malformed XML: expected >");
  CHECK(failure("<a></a b>") == "1:8 malformed XML: expected >");
  CHECK(failure("<a x\"y\"='1'/>") == "1:5 malformed XML: expected =");
  CHECK(failure("<a x='&#x110000;'/>") == "1:7 malformed XML: invalid numeric character entity");
  CHECK(failure("<a x='&#0;'/>") == "1:7 malformed XML: invalid numeric character entity");
  CHECK(failure("<a x='&#x41'/>") == "1:12 malformed XML: expected ;");
  CHECK(failure("<a>&#4;&#4 ;</a>") == "1:11 malformed XML: expected ;");
  CHECK(failure("<a x='&#x41;&amp' y = \"&#;\"/>").substr(0, 5) == "1:24 ");
  CHECK(failure("<a x='&#x41;&amp;#'y=\"\"><!--&#--></a >") == "no error");
}

TEST_CASE("input that is not text is refused", "[mjcf]") {
  CHECK(failure(std::string_view("<a>\n\0</a>", 9)) ==
        "2:1 the text has a zero byte: it is not XML");
  CHECK(failure("\xFF\xFE<") == "1:1 the text is UTF-16");
  CHECK(failure("\x7f"
                "ELF") == "1:1 the text does not start with an XML element");
}

TEST_CASE("entities cannot be defined", "[mjcf]") {
  CHECK(failure("<!DOCTYPE a [<!ENTITY b 'c'>]>\n<a x='&b;'/>") ==
        "1:1 a document type with definitions is not supported");
}

TEST_CASE("depth, width and attributes are bounded", "[mjcf]") {
  const auto nested = [](std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += "<a>";
    for (std::size_t i = 0; i < depth; ++i) text += "</a>";
    return text;
  };
  CHECK(failure(nested(mjcf::max_xml_depth)) == "no error");
  CHECK(failure(nested(100000)) == "1:1501 elements are nested too deeply");
  std::string attributes = "<a";
  for (int i = 0; i < 300; ++i) attributes += " a" + std::to_string(i) + "=''";
  CHECK(failure(attributes + "/>").find("too many attributes") != std::string::npos);
  std::string wide = "<a>";
  for (std::size_t i = 0; i <= mjcf::max_xml_elements; ++i) wide += "<b/>";
  CHECK(failure(wide + "</a>").find("too many elements") != std::string::npos);
}

TEST_CASE("numbers", "[mjcf]") {
  const auto parsed = [](std::string_view text) {
    double out = 0;
    INFO(text);
    CHECK(mjcf::parse_number(text, out));
    return out;
  };
  CHECK(parsed("1e-5") == 1e-5);
  CHECK(parsed(".5") == 0.5);
  CHECK(parsed("5.") == 5);
  CHECK(parsed("+5") == 5);
  CHECK(parsed("-0.1") == -0.1);
  CHECK(parsed("-inf") == -std::numeric_limits<double>::infinity());
  CHECK(parsed("0.1000000000000000055511151231257827") == 0.1);

  double d = 0;
  for (const char* bad : {"", "+", "+-1", "1,2", "1.0.0", "abc", "1e", "0x10", "--1"}) {
    INFO(bad);
    CHECK_FALSE(mjcf::parse_number(bad, d));
  }
  CHECK(mjcf::parse_number("nan", d).error().message == "NaN is not a number");
  CHECK(mjcf::parse_number("1e999", d).error().message == "'1e999' is out of range");

  int i = 0;
  CHECK(mjcf::parse_number("+3", i));
  CHECK(i == 3);
  CHECK(mjcf::parse_number("3.0", i).error().message == "'3.0' is not an integer");
  CHECK(mjcf::parse_number("3000000000", i).error().message == "'3000000000' is out of range");

  List<double> list;
  CHECK(mjcf::parse_numbers(" 1\t2\n-3 ", false, list));
  CHECK(list == List<double>{1, 2, -3});
  CHECK(mjcf::parse_numbers("  ", false, list));
  CHECK(list.empty());
  CHECK(mjcf::parse_numbers("1 x 3", false, list).error().message == "'x' is not a number");
}
