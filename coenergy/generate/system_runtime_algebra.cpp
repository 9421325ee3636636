#include "coenergy/generate/system_runtime.hpp"

namespace coenergy::generate {

const std::string_view runtime_algebra = R"c(
/* ---- algebra */

static int @_place_of(int unknown) { return unknown < @_NV + @_NL ? @_A + unknown : @_A + @_NX + unknown; }

static void @_gather(const @_instance* part, const double* value, double* in) {
  int i;
  for (i = 0; i < part->kernel->values; ++i) in[i] = value[part->gather ? part->gather[i] : i];
}

/* all rows, constraints at acceleration level; those that follow from others are left out */
static void @_rows(const double* value, double* r) {
  double in[@_MOST_VALUES], out[@_MOST_ROWS];
  int i, k;
  for (i = 0; i < @_N; ++i) r[i] = 0;
  for (k = 0; k < @_INSTANCES; ++k) {
    const @_instance* part = &@_instances[k];
    @_gather(part, value, in);
    part->kernel->value(in, out);
    for (i = 0; i < part->kernel->rows; ++i) r[part->row[i]] += out[i];
  }
  for (k = 0; k < @_NL; ++k)
    if (@_spare[k]) r[@_NV + k] = value[@_L + k];
}

/* positions of constraints (0 of those of rates), then their rates */
static void @_constraint_rows(const double* value, double* r) {
  double in[@_MOST_VALUES], out[@_MOST_ROWS];
  int i, k;
  for (i = 0; i < 2 * @_NL; ++i) r[i] = 0;
  for (k = 0; k < @_INSTANCES; ++k) {
    const @_instance* part = &@_instances[k];
    const int count = part->kernel->constraints, first = part->kernel->rows - count;
    if (count == 0) continue;
    @_gather(part, value, in);
    part->kernel->constraint_value(in, out);
    for (i = 0; i < count; ++i) {
      r[part->row[first + i] - @_NV] += out[i];
      r[@_NL + part->row[first + i] - @_NV] += out[count + i];
    }
  }
  for (k = 0; k < @_NL; ++k)
    if (@_spare[k]) r[k] = 0, r[@_NL + k] = 0;
}

/* the rate of a quaternion that turns about a body axis at unit rate */
static void @_turn_rate(const double* p, int axis, double* rate) {
  const double x = axis == 0 ? 0.5 : 0.0, y = axis == 1 ? 0.5 : 0.0, z = axis == 2 ? 0.5 : 0.0;
  rate[0] = -p[1]*x - p[2]*y - p[3]*z;
  rate[1] = p[0]*x + p[2]*z - p[3]*y;
  rate[2] = p[0]*y + p[3]*x - p[1]*z;
  rate[3] = p[0]*z + p[1]*y - p[2]*x;
}

/* derivatives of rows: by a, lambda, x', y (m0); by v and x (m1); by q along body axes (m2), each N x N by rows */
static void @_matrices(const double* value, double* m0, double* m1, double* m2) {
  double in[@_MOST_VALUES], seed[@_MOST_VALUES], out[@_MOST_ROWS];
  double* const m[3] = {m0, m1, m2};
  int i, j, k;
  for (k = 0; k < 3; ++k)
    for (i = 0; m[k] && i < @_N * @_N; ++i) m[k][i] = 0;
  for (i = 0; i < @_MOST_VALUES; ++i) seed[i] = 0;
  for (k = 0; k < @_INSTANCES; ++k) {
    const @_instance* part = &@_instances[k];
    @_gather(part, value, in);
    for (j = 0; j < part->kernel->seeds; ++j) {
      const @_seed* s = &part->kernel->seed[j];
      double* const to = m[s->kind];
      const int column = part->unknown ? part->unknown[s->column] : s->column;
      if (!to) continue;
      if (s->axis < 0) seed[s->place] = 1; else @_turn_rate(in + s->place, s->axis, seed + s->place);
      part->kernel->direction(in, seed, out);
      for (i = 0; i < part->kernel->rows; ++i) to[part->row[i] * @_N + column] += out[i];
      for (i = 0; i < (s->axis < 0 ? 1 : 4); ++i) seed[s->place + i] = 0;
    }
  }
  for (k = 0; k < @_NL; ++k)
    if (@_spare[k])
      for (j = 0; j < @_N; ++j) {
        const int at = (@_NV + k) * @_N + j;
        if (m0) m0[at] = j == @_NV + k ? 1.0 : 0.0;
        if (m1) m1[at] = 0;
        if (m2) m2[at] = 0;
      }
  /* a law with a vertical tangent, as a root has at zero: steep will do */
  for (k = 0; k < 3; ++k)
    for (i = 0; m[k] && i < @_N * @_N; ++i)
      if (m[k][i] > 1e300 || m[k][i] < -1e300) m[k][i] = m[k][i] > 0 ? 1e8 : -1e8;
}

/* derivatives of constraints: of positions by q, or of their rates by v; NL x NV */
static void @_constraint_matrix(const double* value, int of_rates, double* m) {
  double in[@_MOST_VALUES], seed[@_MOST_VALUES], out[@_MOST_ROWS];
  int i, j, k;
  for (i = 0; i < @_NL * @_NV; ++i) m[i] = 0;
  for (i = 0; i < @_MOST_VALUES; ++i) seed[i] = 0;
  for (k = 0; k < @_INSTANCES; ++k) {
    const @_instance* part = &@_instances[k];
    const int count = part->kernel->constraints, first = part->kernel->rows - count;
    if (count == 0) continue;
    @_gather(part, value, in);
    for (j = 0; j < part->kernel->seeds; ++j) {
      const @_seed* s = &part->kernel->seed[j];
      const int column = part->unknown ? part->unknown[s->column] : s->column;
      if (s->kind != (of_rates ? 1 : 2) || column >= @_NV) continue;
      if (s->axis < 0) seed[s->place] = 1; else @_turn_rate(in + s->place, s->axis, seed + s->place);
      part->kernel->constraint_direction(in, seed, out);
      for (i = 0; i < count; ++i)
        m[(part->row[first + i] - @_NV) * @_NV + column] += out[of_rates ? count + i : i];
      for (i = 0; i < (s->axis < 0 ? 1 : 4); ++i) seed[s->place + i] = 0;
    }
  }
}

/* row-scaled LU with pivots; 0: singular */
static int @_factor(int n, double* a, double* scale, int* pivot) {
  int i, j, k;
  for (i = 0; i < n; ++i) {
    double largest = 0;
    for (j = 0; j < n; ++j) {
      const double size = fabs(a[i * n + j]);
      if (!(size <= 1e300)) return 0;
      if (size > largest) largest = size;
    }
    if (!(largest > 0)) return 0;
    scale[i] = 1/largest;
    for (j = 0; j < n; ++j) a[i * n + j] *= scale[i];
  }
  for (k = 0; k < n; ++k) {
    int best = k;
    for (i = k + 1; i < n; ++i)
      if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
    pivot[k] = best;
    if (!(fabs(a[best * n + k]) > 1e-250)) return 0;
    if (best != k)
      for (j = 0; j < n; ++j) {
        const double other = a[k * n + j];
        a[k * n + j] = a[best * n + j];
        a[best * n + j] = other;
      }
    for (i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k]/a[k * n + k];
      if (a[i * n + k] == 0) continue;
      a[i * n + k] = factor;
      for (j = k + 1; j < n; ++j) a[i * n + j] -= factor*a[k * n + j];
    }
  }
  return 1;
}

static void @_solve(int n, const double* a, const double* scale, const int* pivot, double* b) {
  int i, j;
  for (i = 0; i < n; ++i) b[i] *= scale[i];
  for (i = 0; i < n; ++i) {
    const double other = b[pivot[i]];
    b[pivot[i]] = b[i];
    b[i] = other;
  }
  for (i = 0; i < n; ++i)
    for (j = 0; j < i; ++j) b[i] -= a[i * n + j]*b[j];
  for (i = n - 1; i >= 0; --i) {
    for (j = i + 1; j < n; ++j) b[i] -= a[i * n + j]*b[j];
    b[i] /= a[i * n + i];
  }
}

/* the same of a complex matrix: real parts, then imaginary parts */
static int @_factor_complex(int n, double* re, double* im, double* scale, int* pivot) {
  int i, j, k;
  for (i = 0; i < n; ++i) {
    double largest = 0;
    for (j = 0; j < n; ++j) {
      const double size = fabs(re[i * n + j]) + fabs(im[i * n + j]);
      if (!(size <= 1e300)) return 0;
      if (size > largest) largest = size;
    }
    if (!(largest > 0)) return 0;
    scale[i] = 1/largest;
    for (j = 0; j < n; ++j) re[i * n + j] *= scale[i], im[i * n + j] *= scale[i];
  }
  for (k = 0; k < n; ++k) {
    int best = k;
    double size = 0, pr, pi;
    for (i = k; i < n; ++i) {
      const double other = fabs(re[i * n + k]) + fabs(im[i * n + k]);
      if (other > size) size = other, best = i;
    }
    pivot[k] = best;
    if (!(size > 1e-250)) return 0;
    if (best != k)
      for (j = 0; j < n; ++j) {
        const double r = re[k * n + j], s = im[k * n + j];
        re[k * n + j] = re[best * n + j], im[k * n + j] = im[best * n + j];
        re[best * n + j] = r, im[best * n + j] = s;
      }
    pr = re[k * n + k], pi = im[k * n + k];
    size = pr*pr + pi*pi;
    for (i = k + 1; i < n; ++i) {
      const double r = re[i * n + k], s = im[i * n + k];
      const double fr = (r*pr + s*pi)/size, fi = (s*pr - r*pi)/size;
      if (r == 0 && s == 0) continue;
      re[i * n + k] = fr, im[i * n + k] = fi;
      for (j = k + 1; j < n; ++j) {
        const double ur = re[k * n + j], ui = im[k * n + j];
        re[i * n + j] -= fr*ur - fi*ui;
        im[i * n + j] -= fr*ui + fi*ur;
      }
    }
  }
  return 1;
}

static void @_solve_complex(int n, const double* re, const double* im, const double* scale, const int* pivot,
                            double* br, double* bi) {
  int i, j;
  for (i = 0; i < n; ++i) br[i] *= scale[i], bi[i] *= scale[i];
  for (i = 0; i < n; ++i) {
    const double r = br[pivot[i]], s = bi[pivot[i]];
    br[pivot[i]] = br[i], bi[pivot[i]] = bi[i];
    br[i] = r, bi[i] = s;
  }
  for (i = 0; i < n; ++i)
    for (j = 0; j < i; ++j) {
      const double r = re[i * n + j], s = im[i * n + j];
      br[i] -= r*br[j] - s*bi[j];
      bi[i] -= r*bi[j] + s*br[j];
    }
  for (i = n - 1; i >= 0; --i) {
    double r, s, size;
    for (j = i + 1; j < n; ++j) {
      br[i] -= re[i * n + j]*br[j] - im[i * n + j]*bi[j];
      bi[i] -= re[i * n + j]*bi[j] + im[i * n + j]*br[j];
    }
    r = re[i * n + i], s = im[i * n + i], size = r*r + s*s;
    {
      const double x = (br[i]*r + bi[i]*s)/size, y = (bi[i]*r - br[i]*s)/size;
      br[i] = x, bi[i] = y;
    }
  }
}

static double @_row_size(const double* r, const double* scale) {
  double largest = 0;
  int i;
  for (i = 0; i < @_N; ++i) {
    const double size = fabs(r[i])*scale[i];
    if (!(size <= 1e300)) return 1e301;
    if (size > largest) largest = size;
  }
  return largest;
}

/* a, lambda, x', y of given t, q, v, x, d: Newton's method with the constraints at acceleration level */
static int @_solve_rates(@_model* m, double* value) {
  double r[@_N1], delta[@_N1];
  double last = 0;
  int pass, halved, i;
  @_rows(value, r);
  for (pass = 0; pass < 50; ++pass) {
    double size = 0, before, after, factor = 1;
    @_matrices(value, m->lu, 0, 0);
    if (!@_factor(@_N, m->lu, m->scale, m->pivot)) return @_SINGULAR;
    before = @_row_size(r, m->scale);
    if (before > 1e300) return @_NOT_FINITE;
    for (i = 0; i < @_N; ++i) delta[i] = -r[i];
    @_solve(@_N, m->lu, m->scale, m->pivot, delta);
    for (i = 0; i < @_N; ++i) {
      double* const at = &value[@_place_of(i)];
      const double allowed = @_TOLERANCE*(fabs(*at) > @_nominal[i] ? fabs(*at) : @_nominal[i]);
      if ((i < @_NV || i >= @_NV + @_NL) && fabs(delta[i]) > size*allowed) size = fabs(delta[i])/allowed;
      if (!(fabs(delta[i]) <= 1e300)) return @_NOT_FINITE;
      *at += delta[i];
    }
    if (@_LINEAR_IN_RATES) return @_GOOD;
    @_rows(value, r);
    after = @_row_size(r, m->scale);
    for (halved = 0; halved < 12 && (after > 1e300 || (after > 2*before && size > 1e3)); ++halved) {
      factor /= 2;
      for (i = 0; i < @_N; ++i) value[@_place_of(i)] -= factor*delta[i];
      @_rows(value, r);
      after = @_row_size(r, m->scale);
      if (after <= before) break;
    }
    /* or what is left is round-off */
    if (size <= 1 || (pass > 1 && size <= 1e6 && size > 0.1*last)) return @_GOOD;
    last = size;
  }
  return @_NO_CONVERGENCE;
}

static void @_normalize(double* value) {
  int k, i;
  for (k = 0; k < @_ROTATIONS; ++k) {
    double* const p = value + @_Q + @_COORDINATES + 4 * k;
    const double norm = sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2] + p[3]*p[3]);
    for (i = 0; i < 4; ++i) p[i] /= norm;
  }
}

/* q <- q0 exp(theta): coordinates add, rotations turn by body increments */
static void @_retract(const double* q0, const double* theta, double* q) {
  int k;
  for (k = 0; k < @_COORDINATES; ++k) q[k] = q0[k] + theta[k];
  for (k = 0; k < @_ROTATIONS; ++k) {
    const double* const p = q0 + @_COORDINATES + 4 * k;
    const double* const th = theta + @_COORDINATES + 3 * k;
    double* const to = q + @_COORDINATES + 4 * k;
    const double square = th[0]*th[0] + th[1]*th[1] + th[2]*th[2], angle = sqrt(square);
    const double c = cos(angle/2), s = square < 1e-8 ? 0.5 - square/48 : sin(angle/2)/angle;
    const double x = s*th[0], y = s*th[1], z = s*th[2];
    const double w0 = p[0], w1 = p[1], w2 = p[2], w3 = p[3];
    double norm;
    to[0] = w0*c - w1*x - w2*y - w3*z;
    to[1] = w0*x + w1*c + w2*z - w3*y;
    to[2] = w0*y + w2*c + w3*x - w1*z;
    to[3] = w0*z + w3*c + w1*y - w2*x;
    norm = sqrt(to[0]*to[0] + to[1]*to[1] + to[2]*to[2] + to[3]*to[3]);
    to[0] /= norm, to[1] /= norm, to[2] /= norm, to[3] /= norm;
  }
}

/* the rate of theta in q = q0 exp(theta) that belongs to v */
static void @_chart_rate(const double* theta, const double* v, double* rate) {
  int k;
  for (k = 0; k < @_COORDINATES; ++k) rate[k] = v[k];
  for (k = 0; k < @_ROTATIONS; ++k) {
    const int at = @_COORDINATES + 3 * k;
    const double *th = theta + at, *w = v + at;
    const double square = th[0]*th[0] + th[1]*th[1] + th[2]*th[2], angle = sqrt(square);
    const double b = square < 1e-4 ? 1.0/12 + square/720 + square*square/30240 : (1 - angle/2/tan(angle/2))/square;
    const double x = th[1]*w[2] - th[2]*w[1], y = th[2]*w[0] - th[0]*w[2], z = th[0]*w[1] - th[1]*w[0];
    rate[at] = w[0] + x/2 + b*(th[1]*z - th[2]*y);
    rate[at + 1] = w[1] + y/2 + b*(th[2]*x - th[0]*z);
    rate[at + 2] = w[2] + z/2 + b*(th[0]*y - th[1]*x);
  }
}

/* puts q and v on the constraints with the smallest change; rates alone where positions are not to move */
static int @_project(@_model* m, double* value, int positions) {
  const int n = @_NV + @_NL;
  double r[2 * @_NL + 1], b[@_N1], q[@_NQ1];
  int pass, level, i, j;
  double last = 1e300;
  if (@_NL == 0) return @_GOOD;
  for (level = positions ? 0 : 1; level < 2; ++level)
    for (pass = 0, last = 1e300; pass < 20; ++pass) {
      double worst = 0;
      @_constraint_rows(value, r);
      for (i = 0; i < @_NL; ++i)
        if (!(fabs(r[level * @_NL + i]) <= worst)) worst = fabs(r[level * @_NL + i]);
      if (!(worst <= 1e300)) return @_NOT_FINITE;
      if (worst <= 1e-15 || (pass > 1 && worst > 0.3*last)) {
        if (worst > 1e-6) return @_OFF_CONSTRAINTS;
        break;
      }
      last = worst;
      for (i = 0; i < n * n; ++i) m->lu[i] = 0;
      @_constraint_matrix(value, level, m->jacobian);
      for (i = 0; i < @_NV; ++i) m->lu[i * n + i] = 1/(@_nominal[i]*@_nominal[i]), b[i] = 0;
      for (i = 0; i < @_NL; ++i) {
        b[@_NV + i] = @_spare[i] ? 0 : -r[level * @_NL + i];
        for (j = 0; j < @_NV && !@_spare[i]; ++j)
          m->lu[(@_NV + i) * n + j] = m->lu[j * n + @_NV + i] = m->jacobian[i * @_NV + j];
        /* no constraint on positions, or one that follows from others */
        if (@_spare[i] || (level == 0 && @_of_rates[i])) m->lu[(@_NV + i) * n + @_NV + i] = 1;
      }
      if (!@_factor(n, m->lu, m->scale, m->pivot)) return @_SINGULAR;
      @_solve(n, m->lu, m->scale, m->pivot, b);
      if (level == 0) {
        for (i = 0; i < @_NQ; ++i) q[i] = value[@_Q + i];
        @_retract(q, b, value + @_Q);
      } else {
        for (i = 0; i < @_NV; ++i) value[@_V + i] += b[i];
      }
    }
  return @_GOOD;
}
)c";

}  // namespace coenergy::generate
