// SPDX-License-Identifier: Apache-2.0
//
// How a kind of constraint writes its rows: reserve, fill the Jacobian, set the rest.
//
//     const int row = reserve_rows(d, 1);
//     if (row < 0) return;  // no room; d.nefc_needed counts the rows anyway
//     each_dof(m, d, body, point, [&](int i, const Vec3<S>& move, const Vec3<S>&) {
//       row_entry(d, row, i) += direction.dot(move);
//     });
//     set_row(d, row, ConstraintType::equality, e, S(length - target));
//
// Rows of large models are compressed (math/row_set.hpp): the columns of a group of rows are those
// that row_entry() has been asked for, so ask only for dofs that the constraint reaches. The group
// stays open until the next rows are reserved.
#pragma once

#include <corten/constraint/compressed.hpp>
#include <corten/core/enums.hpp>
#include <corten/math/row_set.hpp>

namespace corten {

namespace detail {

CORTEN_FN int larger(int a, int b) { return a > b ? a : b; }

// While compressed rows are open, column by column in the order in which dofs are met, the entries
// of a column for all rows are adjacent: entry k of column c is at nJ + c · open_rows + k.

// where a dof is among the columns of the open rows; it is added if it is not there
template <class D>
CORTEN_FN int open_column(const D& d, int dof) {
  const int slot = d.open_slot[dof], width = d.open_width;
  if (slot < width && d.open_dof[slot] == dof) return slot;
  d.open_dof[width] = dof;
  d.open_slot[dof] = width;
  d.open_width = width + 1;
  const int first = d.nJ + width * d.open_rows, end = first + d.open_rows;
  for (int k = first; k < end && k < d.n.njnz; ++k) d.efc_J[k] = typename D::Scalar(0);
  return width;
}

// where the entry of a closed row for a dof is, or njnz
template <class D>
CORTEN_FN int closed_entry(const D& d, int row, int dof) {
  int entry = d.efc_J_rowadr[row];
  const auto pattern = d.efc_J_run.from(d.efc_J_runadr[row]);
  for (int k = 0; k < pattern[0]; ++k) {
    const int first = pattern[1 + 2 * k], length = pattern[2 + 2 * k];
    if (dof >= first && dof < first + length) return entry + dof - first;
    entry += length;
  }
  return d.n.njnz;
}

// the entry of a compressed row for a dof; entries that do not exist or do not fit are zero
template <class D>
CORTEN_FN auto& compressed_entry(const D& d, int row, int dof) {
  const int open = d.nefc - d.open_rows;
  const int at = row >= open ? d.nJ + open_column(d, dof) * d.open_rows + row - open
                             : closed_entry(d, row, dof);
  if (at < d.n.njnz) return d.efc_J[at];
  d.open_sink[0] = typename D::Scalar(0);
  return d.open_sink[0];
}

// Puts the entries of rows that were open in order, row by row and dofs ascending, in the memory
// behind them, and moves them back.
template <class D>
CORTEN_FN void order_entries(const D& d, int first, int count, int width) {
  const auto from = d.efc_J.from(first), to = d.efc_J.from(first + count * width);
  for (int c = 0; c < width; ++c) {
    const int slot = d.open_slot[d.open_dof[c]];
    for (int k = 0; k < count; ++k) to[k * width + c] = from[slot * count + k];
  }
  copy(from, to, count * width);
}

}  // namespace detail

namespace detail {

// Ends the open rows, whose columns are d.open_dof in ascending order. They have a pattern of their
// own, unless the pattern at `known` is theirs; `work` entries behind them are needed for a while.
// If they do not fit they are left without entries, and nJ_needed says how much room would have
// been enough. Returns whether they fit.
template <class D>
CORTEN_FN bool end_open_rows(const D& d, int known, int work) {
  const int count = d.open_rows, width = d.open_width, first = d.nefc - count;
  const int entries = count * width;
  const int numbers = known > 0 ? 0 : 1 + 2 * count_runs(d.open_dof, width);
  const int room = d.nJ_lost + larger(d.nJ + entries + work, 2 * (d.nrun + numbers));
  d.nJ_needed = larger(d.nJ_needed, room);
  const bool fits = d.nJ + entries + work <= d.n.njnz && d.nrun + numbers <= d.n.nrun;
  const int pattern = known > 0 ? known : int(d.nrun);
  for (int k = 0; k < count; ++k) {
    d.efc_J_rowadr[first + k] = d.nJ + (fits ? k * width : 0);
    d.efc_J_rownnz[first + k] = fits ? width : 0;
    d.efc_J_runadr[first + k] = fits ? pattern : 0;
  }
  d.open_rows = 0;
  d.open_width = 0;
  if (!fits) {
    d.nJ_lost = d.nJ_lost + larger(entries, 2 * numbers);
    return false;
  }
  if (known <= 0) write_pattern(d.open_dof, width, d.efc_J_run.from(pattern));
  d.nJ = d.nJ + entries;
  d.nrun = d.nrun + numbers;
  return true;
}

}  // namespace detail

// Ends the writing of compressed rows.
template <class D>
CORTEN_FN void close_rows(const D& d) {
  const int count = d.open_rows, width = d.open_width, from = d.nJ;
  if (count == 0) return;
  if (width > 1) detail::sort_ascending(d.open_dof, width);
  const bool fits = detail::end_open_rows(d, 0, width > 1 ? count * width : 0);
  if (fits && width > 1) detail::order_entries(d, from, count, width);
}

// Where entries of rows are whose columns are known before their entries: that of row k for dof i,
// the j-th of the list of columns, is entry at(j, i) + k · stride.
struct RowBlock {
  int start = 0, stride = 0, last = -1;  // last: the last column, if the rows are compressed

  CORTEN_FN int at(int j, int i) const { return start + (last < 0 ? i : last - j); }
};

// Gives the rows that have just been reserved their columns at once, which saves the search for
// columns and the sorting: each(f) calls f(dof) for every dof of theirs, in descending order. The
// pattern is that of row `alike`, unless it is negative. Returns false if the rows do not fit;
// entries of compressed rows are not set, those of dense ones are zero.
template <class D, class F>
CORTEN_FN bool fix_columns(const D& d, int row, int alike, RowBlock& block, F&& each) {
  block = {row * d.n.nv, d.n.nv, -1};
  if (!d.n.compressed()) return true;
  const int known = alike < 0 ? 0 : int(d.efc_J_runadr[alike]);
  int width = 0;
  if (known > 0) {
    width = d.efc_J_rownnz[alike];
  } else {
    each([&](int i) { d.open_dof[width++] = i; });
    for (int a = 0, b = width - 1; a < b; ++a, --b) {
      const int kept = d.open_dof[a];
      d.open_dof[a] = d.open_dof[b];
      d.open_dof[b] = kept;
    }
  }
  d.open_width = width;
  block = {d.nJ, width, width - 1};
  return detail::end_open_rows(d, known, 0);
}

namespace detail {

// before the first row and after the last
template <class D>
CORTEN_FN void begin_rows(const D& d) {
  d.nJ = d.nJ_needed = d.nJ_lost = 0;
  d.nY_needed = d.nH_needed = d.nF_needed = -1;  // not known
  d.open_rows = d.open_width = 0;
  d.nrun = 0;
  if (!d.n.compressed()) return;
  d.efc_J_run[0] = 0;  // the pattern of rows that do not fit
  d.nrun = 1;
}
template <class D>
CORTEN_FN void end_rows(const D& d) {
  if (d.n.compressed()) {
    close_rows(d);
  } else {
    d.nJ = d.nefc * d.n.nv;
  }
}

}  // namespace detail

// Reserves `count` rows with a Jacobian of zero. Returns the first, or -1 if they do not fit. Rows
// that do not fit still count in nefc_needed.
template <class D>
CORTEN_FN int reserve_rows(const D& d, int count) {
  d.nefc_needed = d.nefc_needed + count;
  if (d.n.compressed()) close_rows(d);
  if (d.nefc + count > d.n.njmax) return -1;
  const int row = d.nefc;
  d.nefc = row + count;
  if (d.n.compressed()) {
    d.open_rows = count;
  } else {
    fill(d.efc_J.from(row * d.n.nv), count * d.n.nv, typename D::Scalar(0));
  }
  return row;
}

// drops the last `count` rows, starting at `row`
template <class D>
CORTEN_FN void drop_rows(const D& d, int row, int count) {
  if (d.n.compressed() && count != d.open_rows) {
    close_rows(d);
    d.nJ = d.efc_J_rowadr[row];
  }
  d.open_rows = 0;
  d.open_width = 0;
  d.nefc = row;
  d.nefc_needed = d.nefc_needed - count;
}

// Gives the row that has just been reserved the columns of row `alike`, which has been closed, and
// entries of zero. Returns false if rows are not compressed, if they do not fit, or if `alike` is
// negative or has no columns: then nothing has been done.
template <class D>
CORTEN_FN bool repeat_columns(const D& d, int row, int alike) {
  if (!d.n.compressed() || alike < 0 || d.efc_J_rownnz[alike] == 0) return false;
  if (d.nJ + d.efc_J_rownnz[alike] > d.n.njnz) return false;
  RowBlock block;
  const bool fits = fix_columns(d, row, alike, block, [](auto&&) {});
  if (fits) fill(d.efc_J.from(block.start), block.stride, typename D::Scalar(0));
  return fits;
}

// the entry of a row for a dof
template <class D>
CORTEN_FN auto& row_entry(const D& d, int row, int dof) {
  if (d.n.compressed()) return detail::compressed_entry(d, row, dof);
  return d.efc_J[row * d.n.nv + dof];
}

// The Jacobian of all rows, for those who read it. Its entries are given, or those of efc_J.
template <class D, class T>
CORTEN_FN auto jacobian_rows(const D& d, const Field<T, typename D::Layout>& entries) {
  RowSet<T, typename D::Layout> J;
  J.entries = {entries.data, entries.layout};
  J.nv = d.n.nv;
  J.compressed = d.n.compressed();
  J.rowadr = {d.efc_J_rowadr.data, d.efc_J_rowadr.layout};
  J.runadr = {d.efc_J_runadr.data, d.efc_J_runadr.layout};
  J.run = {d.efc_J_run.data, d.efc_J_run.layout};
  return J;
}
template <class D>
CORTEN_FN auto jacobian_rows(const D& d) {
  return jacobian_rows(d, d.efc_J);
}

template <class D, class S>
CORTEN_FN void set_row(const D& d, int row, ConstraintType type, int id, const S& pos,
                       const S& margin = S(0), const S& frictionloss = S(0)) {
  d.efc_type[row] = static_cast<int>(type);
  d.efc_id[row] = id;
  d.efc_pos[row] = pos;
  d.efc_margin[row] = margin;
  d.efc_frictionloss[row] = frictionloss;
}

// Drops the rows if nothing moves them; returns whether they are kept. `reached` means that some
// dof leads to the objects they constrain; where MuJoCo compresses rows it then stores entries for
// that dof, even if they are zero, and keeps the rows.
template <class M, class D>
CORTEN_FN bool keep_rows(const M& m, const D& d, int row, int count, bool reached = false) {
  int first = row * m.n.nv, width = m.n.nv;
  bool lost = false;  // their columns were known, and did not fit
  if (d.n.compressed()) {
    const bool open = d.open_rows > 0;
    first = open ? d.nJ : d.efc_J_rowadr[row];
    width = open ? d.open_width : d.efc_J_rownnz[row];
    lost = !open && width == 0;
  }
  bool moves = reached && (lost || compresses_rows(m));
  for (int k = first; k < first + count * width && !moves; ++k) {
    moves = k >= d.n.entries() || value(d.efc_J[k]) != 0;
  }
  if (!moves) drop_rows(d, row, count);
  return moves;
}

}  // namespace corten
