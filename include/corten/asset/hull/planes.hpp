// SPDX-License-Identifier: Apache-2.0
//
// The planes of facets, and how far to trust them: distances below a few roundings mean nothing,
// and facets that differ by no more are one facet. The tolerances are those of Barber, Dobkin and
// Huhdanpaa, "The quickhull algorithm for convex hulls" (1996), section 4, as qhull uses them in
// three dimensions.
#pragma once

#include <corten/asset/hull/parts.hpp>
#include <corten/core/list.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace corten::asset::detail {

// A rounded product. Where the processor supports it, compilers may otherwise fuse the product with
// a sum, and the order of a hull would depend on the compiler flags.
inline double times(double a, double b) {
  double out = a * b;
#if defined(__GNUC__) && defined(__x86_64__) && defined(__FMA__)
  asm("" : "+x"(out));
#elif defined(__GNUC__) && defined(__aarch64__)
  asm("" : "+w"(out));
#endif
  return out;
}

inline double dot(const double* a, const double* b) {
  return times(a[0], b[0]) + times(a[1], b[1]) + times(a[2], b[2]);
}

class HullPlanes : protected HullParts {
 protected:
  CORTEN_BULK explicit HullPlanes(const List<double>& points) : points_(points) {}

  const double* point(int i) const { return &points_[3 * static_cast<std::size_t>(i)]; }
  const double* place(int v) { return point(vertex(v).point); }
  int num_points() const { return static_cast<int>(points_.size() / 3); }

  static double height(const HullFacet& f, const double* p) {
    return f.offset + times(p[0], f.normal[0]) + times(p[1], f.normal[1]) +
           times(p[2], f.normal[2]);
  }

  static double cosine(const HullFacet& a, const HullFacet& b) { return dot(a.normal, b.normal); }

  // ---- tolerances -------------------------------------------------------------------------------

  // finds the lowest and highest points along each axis, and derives the tolerances from their
  // extent
  CORTEN_BULK void measure(List<int>& extreme) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    double largest = 0, sum = 0;
    for (int k = 0; k < 3; ++k) {
      int low = 0, high = 0;
      for (int i = 0; i < num_points(); ++i) {
        if (point(high)[k] < point(i)[k]) {
          high = i;
        } else if (point(low)[k] > point(i)[k]) {
          low = i;
        }
      }
      const double far = std::max(point(high)[k], -point(low)[k]);
      width_ = std::max(width_, point(high)[k] - point(low)[k]);
      largest = std::max(largest, far);
      sum += far;
      near_zero_[k] = 80 * sum * epsilon;
      extreme.push_back(low);
      extreme.push_back(high);
    }
    const double spread = std::min(times(std::sqrt(3.0), largest), sum);
    rounding_ = epsilon * (times(3 * spread, 1.01) + largest);
    in_plane_ = 2 * rounding_;
    outside_ = 2 * in_plane_;
    one_merge_ = times(3, in_plane_) + rounding_;
    near_inside_ = one_merge_ * 5;
  }

  // a point farther outside than this need not be assigned to the best facet
  double far_outside() const { return scale() * std::max(2 * outside_, max_outside_); }
  // facets lower by more than this need not be searched
  double search_distance() const { return scale() * (max_outside_ + 2 * rounding_ + in_plane_); }
  bool many_merges() const { return num_merges_ > 50; }

  // ---- planes -----------------------------------------------------------------------------------

  CORTEN_BULK void set_plane(int f) {
    HullFacet& x = facet(f);
    const double *a = place(x.vertex[0]), *b = place(x.vertex[1]), *c = place(x.vertex[2]);
    double* n = x.normal;
    n[0] = times(c[1] - a[1], b[2] - a[2]) - times(c[2] - a[2], b[1] - a[1]);
    n[1] = times(b[0] - a[0], c[2] - a[2]) - times(b[2] - a[2], c[0] - a[0]);
    n[2] = times(c[0] - a[0], b[1] - a[1]) - times(c[1] - a[1], b[0] - a[0]);
    double length = std::sqrt(dot(n, n));
    if (!(length > 1e-300)) {
      failed_ = true;
      return;
    }
    if (!x.top) length = -length;
    for (int k = 0; k < 3; ++k) n[k] /= length;
    x.offset = -dot(a, n);
    x.has_plane = true;
    for (const double* p : {b, c}) {
      const double off = x.offset + dot(p, n);
      if (off > rounding_ || off < -rounding_) return set_plane_of_sliver(x, a, b, c);
    }
  }

  // The plane of three nearly collinear corners, by elimination with pivoting, which loses fewer
  // digits than products. If the pivots are no larger than rounding errors, the sign means nothing,
  // and the interior point decides it.
  CORTEN_BULK void set_plane_of_sliver(HullFacet& x, const double* a, const double* b,
                                       const double* c) {
    double first[3], second[3];
    for (int k = 0; k < 3; ++k) first[k] = b[k] - a[k], second[k] = c[k] - a[k];
    bool down = x.top;
    if (std::fabs(second[0]) > std::fabs(first[0])) {
      std::swap(first, second);
      down = !down;
    }
    const double part = first[0] == 0 ? 0 : second[0] / first[0];
    for (int k = 1; k < 3; ++k) second[k] -= times(part, first[k]);
    if (first[0] == 0 || second[1] == 0) {
      failed_ = true;
      return;
    }
    if ((first[0] < 0) != (second[1] < 0)) down = !down;
    double* n = x.normal;
    n[2] = down ? -1 : 1;
    n[1] = -times(second[2], n[2]) / second[1];
    n[0] = (-times(first[1], n[1]) - times(first[2], n[2])) / first[0];
    const double length = std::sqrt(dot(n, n));
    for (int k = 0; k < 3; ++k) n[k] /= length;
    x.offset = -times(a[0], n[0]) - times(a[1], n[1]) - times(a[2], n[2]);
    const bool vague =
        std::fabs(first[0]) <= near_zero_[0] || std::fabs(second[1]) <= near_zero_[1];
    if (vague && height(x, inside_) > 0) {
      for (int k = 0; k < 3; ++k) n[k] = -n[k];
      x.offset = -x.offset;
    }
  }

  // whether the interior point lies behind it
  bool is_outwards(int f) const { return height(facet(f), inside_) < -rounding_; }

  CORTEN_BULK void set_centre(int f) {
    HullFacet& x = facet(f);
    if (x.has_centre) return;
    const double count = static_cast<double>(x.vertex.size());
    for (int k = 0; k < 3; ++k) {
      x.centre[k] = 0;
      for (const int v : x.vertex) x.centre[k] += place(v)[k];
      x.centre[k] /= count;
    }
    const double off = height(x, x.centre);
    for (int k = 0; k < 3; ++k) x.centre[k] -= times(off, x.normal[k]);
    x.has_centre = true;
  }

  // ---- the first tetrahedron --------------------------------------------------------------------

  CORTEN_BULK void start() {
    List<int> extreme, corner;
    measure(extreme);
    choose_corners(extreme, corner);
    if (failed_) return;
    // the last corner is the youngest and comes first
    int v[4];
    for (int i = 0; i < 4; ++i) v[3 - i] = new_vertex(corner[static_cast<std::size_t>(i)]);
    bool top = true;
    for (int i = 0; i < 4; ++i, top = !top) {
      const int f = new_facet();
      for (int k = 0; k < 4; ++k) {
        if (k != i) facet(f).vertex.push_back(v[k]);
      }
      facet(f).top = top;
      append(f);
      append_vertex(v[i]);
    }
    for (int f = first_new_; f > tail; f = facet(f).next) {
      for (int g = first_new_; g > tail; g = facet(g).next) {
        if (g != f) facet(f).neighbour.push_back(g);
      }
    }
    reset_lists();
    next_ = first_facet_;
    for (int k = 0; k < 3; ++k) {
      for (const int c : v) inside_[k] += place(c)[k];
      inside_[k] /= 4;
    }
    orient_first();
  }

 private:
  double scale() const { return many_merges() ? 2 : 1; }

  CORTEN_BULK void orient_first() {
    set_plane(first_facet_);
    if (height(facet(first_facet_), inside_) > rounding_) {
      for (int f = first_facet_; f > tail; f = facet(f).next) facet(f).top = !facet(f).top;
      set_plane(first_facet_);
    }
    for (int f = facet(first_facet_).next; f > tail; f = facet(f).next) set_plane(f);
    for (int f = first_facet_; f > tail && !failed_; f = facet(f).next) {
      if (!is_outwards(f)) failed_ = true;
      for (const int g : facet(f).neighbour) {
        if (cosine(facet(f), facet(g)) < -0.99999999) failed_ = true;  // nearly flat
      }
    }
  }

  // the area or volume that a point spans with the given corners (with two corners: the area seen
  // along z)
  CORTEN_BULK double spanned(int p, const List<int>& corner, bool& tiny) const {
    double r[3][3];
    const std::size_t n = corner.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) r[i][k] = point(corner[i])[k] - point(p)[k];
    }
    const auto det = [](double a, double b, double c, double d) {
      return times(a, d) - times(b, c);
    };
    const double out = n == 2 ? det(r[0][0], r[0][1], r[1][0], r[1][1])
                              : times(r[0][0], det(r[1][1], r[1][2], r[2][1], r[2][2])) -
                                    times(r[1][0], det(r[0][1], r[0][2], r[2][1], r[2][2])) +
                                    times(r[2][0], det(r[0][1], r[0][2], r[1][1], r[1][2]));
    tiny = std::fabs(out) < 10 * near_zero_[n - 1];
    return std::fabs(out);
  }

  // The extremes in x, then those extreme points that span the largest triangle and tetrahedron, or
  // any points if these are flat.
  CORTEN_BULK void choose_corners(const List<int>& extreme, List<int>& corner) {
    int low = extreme[0], high = extreme[0];
    for (const int p : extreme) {
      if (point(high)[0] < point(p)[0]) high = p;
      if (point(low)[0] > point(p)[0]) low = p;
    }
    corner = {low, high};
    failed_ = low == high;
    double most = point(high)[0] - point(low)[0];
    while (corner.size() < 4 && !failed_) {
      const double target = most * width_, enough = 10 * 1.0e-3 * target;
      int best = none;
      bool best_tiny = false, tiny = false;
      most = -1;
      for (const int p : extreme) {
        if (contains(corner, p) || p == best) continue;
        const double size = spanned(p, corner, tiny);
        if (size > most) most = size, best = p, best_tiny = tiny;
      }
      if (best == none || best_tiny || (most > 0 && most / target < 1.0e-3)) {
        for (int p = 0; p < num_points(); ++p) {
          if (contains(extreme, p) || contains(corner, p)) continue;
          const double size = spanned(p, corner, tiny);
          if (!(size > most)) continue;
          most = size, best = p, best_tiny = tiny;
          if (!best_tiny && most > enough) break;
        }
      }
      corner.push_back(best);
      failed_ = best == none;
    }
  }

 protected:
  double rounding_ = 0;     // rounding error of a distance from a plane
  double in_plane_ = 0;     // points closer than this are in the plane
  double outside_ = 0;      // points farther than this are outside
  double one_merge_ = 0;    // how much a merge can shift a plane
  double near_inside_ = 0;  // points farther inside than this are dropped
  double max_outside_ = 0;  // largest height of a point considered in the plane
  double inside_[3] = {0, 0, 0};
  int num_merges_ = 0;

 private:
  const List<double>& points_;
  double width_ = 0, near_zero_[3] = {0, 0, 0};
};

}  // namespace corten::asset::detail
