// SPDX-License-Identifier: Apache-2.0
//
// The sensor table (sensor_table.hpp) as values.
#pragma once

#include <corten/core/enums.hpp>

namespace corten {

// How a sensor names what it measures in MJCF: by an attribute for one type of object, by objtype
// and objname, by attributes specific to its kind, or not at all.
enum class SensorTarget {
  attribute,
  frame,
  frame_and_reference,
  pair,
  projection,
  inside,
  range,
  touching,
  tactile,
  none,
  user
};

struct SensorRow {
  SensorType type;
  const char* name;
  SensorTarget target;
  ObjectType object;
  const char* attribute;  // MJCF's word for the object
  int dim;
  SensorData data;
  Stage stage;

  // whether it can be attached to anything that has a frame
  constexpr bool on_frame() const {
    return target == SensorTarget::frame || target == SensorTarget::frame_and_reference ||
           target == SensorTarget::inside;
  }
};

inline constexpr SensorRow sensor_rows[] = {
#define X(word, target, object, dim, data, stage)                     \
  {SensorType::word, #word, SensorTarget::target, ObjectType::object, \
   #object,          dim,   SensorData::data,     Stage::stage},
    CORTEN_SENSOR_TABLE(X)
#undef X
};

// a SensorType is its row number in the table
constexpr const SensorRow& sensor_row(SensorType type) {
  return sensor_rows[static_cast<int>(type)];
}

}  // namespace corten
