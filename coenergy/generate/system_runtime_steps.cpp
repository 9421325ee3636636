#include "coenergy/generate/system_runtime.hpp"

namespace coenergy::generate {

const std::string_view runtime_steps = R"c(
/* ---- steps */

/* Radau IIA of five stages, order 9. Its matrix A = T diag(sigma) 1/T has one real eigenvalue and two pairs. */
static const double @_nodes[5] = {0.057104196114517682193, 0.27684301363812382768, 0.58359043236891682006,
                                  0.86024013565621944785, 1.0};
static const double @_weights[5][5] = {
    {0.072998864317903324306, -0.026735331107945571878, 0.018676929763984354412, -0.012879106093306439854,
     0.0050428392338820152067},
    {0.15377523147918246867, 0.14621486784749350665, -0.036444568905128089527, 0.021233063119304719422,
     -0.0079355799027287775326},
    {0.14006304568480987151, 0.2989671294912834794, 0.16758507013524896344, -0.033969101686617746572,
     0.010944288744192252274},
    {0.14489430810953475754, 0.27650006876015922756, 0.32579792291042102998, 0.12875675325490976116,
     -0.015708917378805328388},
    {0.14371356079122594132, 0.28135601514946206019, 0.31182652297574125408, 0.2231039010835707444, 0.04}};
static const double @_sigma[3][2] = {{0.15906584442746912048, 0.0},
                                     {0.13317907701829959895, 0.074994511835818522924},
                                     {0.065065778545743618594, 0.11646852774031707573}};
static const double @_T[3][2][5] = {
    {{0.013576867344947943248, 0.0016179004017190874764, 0.079157853347447207645, 0.41225608268046145198, 1.0},
     {0.0, 0.0, 0.0, 0.0, 0.0}},
    {{-0.011478515255229514708, -0.0076688307491801628852, 0.019398463998828950911, 0.40760117128019906662, 1.0},
     {-0.014019858892875410281, 0.024708578426518526813, 0.081800353703751170836, 0.19968242788680252594, 0.0}},
    {{-0.01024204781790882707, 0.050172864517371058163, -0.23053953404341794672, 0.37789390224886124954, 1.0},
     {0.047673877290295723863, -0.094331819181611436981, 0.10270304538012589979, 0.46674413033249435929, 0.0}}};
static const double @_inverse_T[3][2][5] = {
    {{27.697693775684088409, 12.783337911304406015, 3.2084893867134298598, -0.95149041224891622127,
      0.74155049602598960335},
     {0.0, 0.0, 0.0, 0.0, 0.0}},
    {{-16.520940106759500004, -8.6884767395317835097, -0.086064531627002780576, -0.049584888991271321294,
      0.26561405791915333359},
     {4.3057219899376459889, -4.8499957047644041157, -0.95736431984843714243, -1.2093460030424700132,
      0.52373174396766870935}},
    {{2.6720932189174557994, 2.2968077838795805022, -1.5181801617297121493, 0.52533009511572943193,
      -0.13638930593214813527},
     {-1.87402990371990242, 1.9924828681719423336, 0.52220782080400939647, -0.59204928406897424362,
      0.22495888507839018445}}};
/* an embedded method of order 5: of the rates at the start, then of the stages */
static const double @_embedded[6] = {0.15906584442746912048, -0.25234331224954645012, 0.16035712210296994827,
                                     -0.11627313434096281454, 0.081006648945564020002, -0.031813168885493824096};

static int @_refactor(@_model* m, double h) {
  int k, i;
  if (!m->has_matrices) @_matrices(m->value, m->m0, m->m1, m->m2);
  m->has_matrices = 1, m->has_factors = 0;
  for (k = 0; k < 3; ++k) {
    const double re = h*@_sigma[k][0], im = h*@_sigma[k][1], re2 = re*re - im*im, im2 = 2*re*im;
    double* const to = k == 0 ? m->real : m->re[k - 1];
    for (i = 0; i < @_N * @_N; ++i) to[i] = m->m0[i] + re*m->m1[i] + re2*m->m2[i];
    if (k > 0)
      for (i = 0; i < @_N * @_N; ++i) m->im[k - 1][i] = im*m->m1[i] + im2*m->m2[i];
    if (k == 0 && !@_factor(@_N, m->real, m->scales[0], m->pivots[0])) return @_SINGULAR;
    if (k > 0 && !@_factor_complex(@_N, m->re[k - 1], m->im[k - 1], m->scales[k], m->pivots[k])) return @_SINGULAR;
  }
  m->has_factors = 1, m->factor_step = h;
  return @_GOOD;
}

/* t, q, v, x of stage i from the rates of all stages; everything else of it too */
static void @_set_stage(@_model* m, double h, int i) {
  double* const to = m->stage;
  int j, k;
  for (k = 0; k < @_VALUES; ++k) to[k] = m->value[k];
  to[0] = m->value[0] + h*@_nodes[i];
  @_retract(m->value + @_Q, m->theta[i], to + @_Q);
  for (k = 0; k < @_N; ++k) to[@_place_of(k)] = m->u[i][k];
  for (k = 0; k < @_NV; ++k) to[@_V + k] = m->v[i][k];
  for (k = 0; k < @_NX; ++k)
    for (j = 0; j < 5; ++j) to[@_X + k] += h*@_weights[i][j]*m->u[j][@_NV + @_NL + k];
}

/* velocities and turns of all stages; how much turns still change, in units of round-off */
static double @_move_stages(@_model* m, double h) {
  double change = 0;
  int i, j, k;
  for (i = 0; i < 5; ++i)
    for (k = 0; k < @_NV; ++k) {
      m->v[i][k] = m->value[@_V + k];
      for (j = 0; j < 5; ++j) m->v[i][k] += h*@_weights[i][j]*m->u[j][k];
    }
  for (i = 0; i < 5; ++i) @_chart_rate(m->theta[i], m->v[i], m->chart[i]);
  for (i = 0; i < 5; ++i)
    for (k = 0; k < @_NV; ++k) {
      double theta = 0;
      for (j = 0; j < 5; ++j) theta += h*@_weights[i][j]*m->chart[j][k];
      if (k >= @_COORDINATES && fabs(theta - m->theta[i][k]) > change*1e-15) change = fabs(theta - m->theta[i][k])/1e-15;
      m->theta[i][k] = theta;
    }
  return change;
}

static double @_size_of(double value, double nominal) { return fabs(value) > nominal ? fabs(value) : nominal; }

static int @_iterate(@_model* m, double h) {
  double br[@_N1], bi[@_N1], last = 0;
  int pass, i, j, k;
  for (i = 0; i < 5; ++i) {
    for (k = 0; k < @_N; ++k) m->u[i][k] = m->value[@_place_of(k)];
    for (k = 0; k < @_NV; ++k) m->theta[i][k] = h*@_nodes[i]*m->value[@_V + k];
  }
  @_move_stages(m, h);
  for (pass = 0; pass < 30; ++pass) {
    double size = 0, noise = 0;
    for (i = 0; i < 5; ++i) {
      @_set_stage(m, h, i);
      @_rows(m->stage, m->r[i]);
      for (k = 0; k < @_N; ++k) m->du[i][k] = 0;
    }
    for (j = 0; j < 3; ++j) {
      for (k = 0; k < @_N; ++k) {
        br[k] = bi[k] = 0;
        for (i = 0; i < 5; ++i) br[k] -= @_inverse_T[j][0][i]*m->r[i][k], bi[k] -= @_inverse_T[j][1][i]*m->r[i][k];
      }
      if (j == 0) {
        @_solve(@_N, m->real, m->scales[0], m->pivots[0], br);
        for (i = 0; i < 5; ++i)
          for (k = 0; k < @_N; ++k) m->du[i][k] += @_T[0][0][i]*br[k];
      } else {
        @_solve_complex(@_N, m->re[j - 1], m->im[j - 1], m->scales[j], m->pivots[j], br, bi);
        for (i = 0; i < 5; ++i)
          for (k = 0; k < @_N; ++k) m->du[i][k] += 2*(@_T[j][0][i]*br[k] - @_T[j][1][i]*bi[k]);
      }
    }
    for (i = 0; i < 5; ++i)
      for (k = 0; k < @_N; ++k) {
        double allowed, most;
        const double value = fabs(m->u[i][k] += m->du[i][k]), change = fabs(m->du[i][k]);
        if (!(change <= 1e300)) return @_NOT_FINITE;
        if (k >= @_NV && k < @_NV + @_NL) continue;
        allowed = @_TOLERANCE*(value > @_nominal[k] ? value : @_nominal[k]);
        most = 1e4*allowed;
        if (k < @_NV) most += 4e-15*@_size_of(m->value[k < @_COORDINATES ? @_Q + k : 0], @_nominal[k])/(h*h);
        if (k < @_NV + @_NL + @_NX) {
          const double state = m->value[k < @_NV ? @_V + k : @_X + k - @_NV - @_NL];
          allowed += 2e-16*@_size_of(state, @_nominal[k])/h;
          most += 4e-15*@_size_of(state, @_nominal[k])/h;
        }
        if (change > size*allowed) size = change/allowed;
        if (change > noise*most) noise = change/most;
      }
    {
      const double turns = @_move_stages(m, h);
      if (turns > size) size = turns;
    }
    m->passes = pass;
    if (size <= 1 && pass > 0) return @_GOOD;
    /* what is left is round-off */
    if (pass > 1 && size > 0.3*last && noise <= 1) return @_GOOD;
    if (pass > 3 && size > 0.9*last) return @_NO_CONVERGENCE;
    last = size;
  }
  return @_NO_CONVERGENCE;
}

/* the error of a step in units of the tolerance */
static double @_find_error(@_model* m, double h) {
  double q[@_NV1], b[@_N1], r[@_N1], z[@_N1], worst = 0;
  int i, j, k;
  for (k = 0; k < @_NV; ++k) {
    q[k] = @_embedded[0]*m->value[@_V + k];
    for (i = 0; i < 5; ++i) q[k] += @_embedded[i + 1]*m->v[i][k];
    q[k] *= h;
  }
  for (k = 0; k < @_N; ++k) {
    z[k] = @_embedded[0]*m->value[@_place_of(k)];
    for (i = 0; i < 5; ++i) z[k] += @_embedded[i + 1]*m->u[i][k];
    z[k] *= h;
    if (k >= @_NV && (k < @_NV + @_NL || k >= @_NV + @_NL + @_NX)) z[k] = 0;
  }
  /* stiff parts are damped: (1 - h sigma J) e = z */
  for (j = 0; j < @_N; ++j) {
    r[j] = 0;
    for (k = 0; k < @_N; ++k) r[j] -= m->m1[j * @_N + k]*z[k];
    for (k = 0; k < @_NV; ++k) r[j] -= m->m2[j * @_N + k]*(q[k] + h*@_sigma[0][0]*z[k]);
    b[j] = r[j];
  }
  @_solve(@_N, m->real, m->scales[0], m->pivots[0], b);
  for (k = 0; k < @_NV; ++k) {
    const double rate = z[k] + h*@_sigma[0][0]*b[k], size = fabs(m->v[4][k]);
    const double way = q[k] + h*@_sigma[0][0]*rate;
    const double place = k < @_COORDINATES ? fabs(m->value[@_Q + k]) : 1.0, nominal = @_nominal[k];
    const double e1 = fabs(way)/(m->atol*nominal + m->rtol*place), e2 = fabs(rate)/(m->atol*nominal + m->rtol*size);
    if (!(e1 <= worst)) worst = e1;
    if (!(e2 <= worst)) worst = e2;
  }
  for (k = @_NV + @_NL; k < @_NV + @_NL + @_NX; ++k) {
    const double x = fabs(m->value[@_X + k - @_NV - @_NL]);
    const double e = fabs(z[k] + h*@_sigma[0][0]*b[k])/(m->atol*@_nominal[k] + m->rtol*x);
    if (k - @_NV - @_NL == @_DISSIPATED || k - @_NV - @_NL == @_DISSIPATED - 1) continue;
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

static int @_radau(@_model* m, double h, double* error) {
  int status = @_GOOD, k;
  const int kept = m->has_factors && m->factor_step == h;
  if (!kept) status = @_refactor(m, h);
  if (status == @_GOOD) status = @_iterate(m, h);
  if (status != @_GOOD && kept && !m->has_matrices) {
    status = @_refactor(m, h);
    if (status == @_GOOD) status = @_iterate(m, h);
  }
  if (status != @_GOOD) return status;
  /* a matrix that is too old is made anew for the next step */
  if (m->passes > 8) m->has_factors = 0;
  @_set_stage(m, h, 4);
  for (k = 0; k < @_VALUES; ++k) m->next[k] = m->stage[k];
  *error = m->rtol > 0 ? @_find_error(m, h) : 0;
  return @_GOOD;
}

/* the classical method of order 4 on the configuration space */
static int @_runge_kutta(@_model* m, double h) {
  static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0/6, 1.0/3, 1.0/3, 1.0/6};
  double theta[@_NV1], rate[@_NV1] = {0};
  double* const at = m->stage;
  int i, k, status;
  for (k = 0; k < @_VALUES; ++k) m->next[k] = at[k] = m->value[k];
  for (k = 0; k < @_NV; ++k) m->theta[0][k] = theta[k] = 0;
  for (i = 0; i < 4; ++i) {
    if (i > 0) {
      at[0] = m->value[0] + part[i]*h;
      for (k = 0; k < @_NV; ++k) theta[k] = part[i]*h*rate[k], at[@_V + k] = m->value[@_V + k] + part[i]*h*at[@_A + k];
      for (k = 0; k < @_NX; ++k) at[@_X + k] = m->value[@_X + k] + part[i]*h*at[@_XD + k];
      @_retract(m->value + @_Q, theta, at + @_Q);
      status = @_solve_rates(m, at);
      if (status != @_GOOD) return status;
    }
    @_chart_rate(theta, at + @_V, rate);
    for (k = 0; k < @_NV; ++k) {
      m->theta[0][k] += weight[i]*h*rate[k];
      m->next[@_V + k] += weight[i]*h*at[@_A + k];
    }
    for (k = 0; k < @_NX; ++k) m->next[@_X + k] += weight[i]*h*at[@_XD + k];
  }
  @_retract(m->value + @_Q, m->theta[0], m->next + @_Q);
  m->next[0] = m->value[0] + h;
  for (k = 0; k < @_N; ++k) m->next[@_place_of(k)] = at[@_place_of(k)];
  return @_GOOD;
}

/* from value to next; `error` in units of the tolerance, where there is one */
static int @_advance(@_model* m, double h, double* error) {
  int status;
  *error = 0;
  status = m->method == @_RK4 ? @_runge_kutta(m, h) : @_radau(m, h, error);
  if (status == @_GOOD && @_NL > 0) status = @_project(m, m->next, 1);
  if (status == @_GOOD && (@_NL > 0 || m->method == @_RK4)) status = @_solve_rates(m, m->next);
  return status;
}

static int @_is_crossed(const int* side, const double* g) {
  int k;
  for (k = 0; k < @_INDICATORS; ++k)
    if ((g[k] > 0) != (side[k] != 0)) return 1;
  return 0;
}

/* shortens the step h, at whose end something has switched, to the first such instant */
static int @_locate(@_model* m, double* h) {
  double low[@_INDICATORS + 1], high[@_INDICATORS + 1], error, begin = 0, end = *h;
  int pass, k, status = @_GOOD, slow = 0;
  @_indicator_values(m->value, low);
  @_indicator_values(m->next, high);
  for (pass = 0; pass < 200; ++pass) {
    double at = end;
    const double width = end - begin;
    if (width <= 4e-16*fabs(m->value[0] + end) || width <= 1e-15*(*h)) break;
    for (k = 0; k < @_INDICATORS; ++k)
      if ((high[k] > 0) != (m->side[k] != 0) && (low[k] > 0) == (m->side[k] != 0) && low[k] != high[k]) {
        const double crossing = begin + width*low[k]/(low[k] - high[k]);
        if (crossing < at) at = crossing;
      }
    /* a little to either side by turns, so that both ends close in */
    at += (pass % 2 ? 1e-4 : -1e-4)*width;
    if (slow > 2 || !(at > begin + 1e-6*width) || !(at < end - 1e-6*width)) {
      at = slow > 2 ? begin + 0.5*width : (at <= begin + 1e-6*width ? begin + 1e-6*width : end - 1e-6*width);
    }
    status = @_advance(m, at, &error);
    if (status != @_GOOD) return status;
    {
      double g[@_INDICATORS + 1];
      @_indicator_values(m->next, g);
      if (@_is_crossed(m->side, g)) {
        end = at;
        for (k = 0; k < @_INDICATORS; ++k) high[k] = g[k];
      } else {
        begin = at;
        for (k = 0; k < @_INDICATORS; ++k) low[k] = g[k];
      }
    }
    slow = end - begin > 0.5*width ? slow + 1 : 0;
  }
  *h = end;
  return @_advance(m, end, &error);
}

static void @_accept(@_model* m, double t) {
  int k;
  for (k = 0; k < @_VALUES; ++k) m->value[k] = m->next[k];
  m->value[0] = t;
  m->has_matrices = 0;
}

static int @_take_event(@_model* m) {
  const double t = m->value[0];
  const int again = fabs(t - m->sampled) <= 2*@_same_instant(0, t);
  const int due = @_is_any_due(m, t);
  if (due && !again) m->sampled = t;
  m->has_factors = m->has_matrices = 0;
  ++m->events;
  return @_pass_event(m, due && !again);
}

int @_step(@_model* m, double h) {
  const double end = m->value[0] + h;
  double g[@_INDICATORS + 1];
  int failures = 0, here = 0;
  if (m->status != @_GOOD) return m->status;
  while (m->value[0] < end) {
    const double t = m->value[0], clock = @_next_clock(m, t), stop = clock < end ? clock : end;
    double size = stop - t, error = 0;
    int status, reaches = 1, crossed;
    if (m->max_step > 0 && size > m->max_step*(1 + 1e-9)) size /= ceil(size/m->max_step - 1e-9), reaches = 0;
    if (m->suggested > 0 && size > m->suggested) {
      size = size < 2*m->suggested ? size/2 : m->suggested;
      reaches = 0;
    }
    status = @_advance(m, size, &error);
    if (status == @_GOOD) {
      @_indicator_values(m->next, g);
    }
    if (status != @_GOOD || error > 1) {
      double factor = status == @_GOOD ? 0.9*pow(error, -1.0/6) : 0.25;
      if (++failures > 60) return m->status = status == @_GOOD ? @_NO_CONVERGENCE : status;
      m->suggested = size*(factor > 0.2 ? factor : 0.2);
      m->has_factors = 0;
      continue;
    }
    failures = 0;
    if (m->rtol > 0) {
      const double factor = error > 1e-8 ? 0.9*pow(error, -1.0/6) : 4;
      const double grown = size*(factor < 4 ? factor : 4);
      if (!reaches || grown > m->suggested) m->suggested = grown;
    } else {
      m->suggested = m->suggested > 0 ? 2*size : 0;
    }
    ++m->steps;
    crossed = @_is_crossed(m->side, g);
    if (crossed) {
      const double whole = size;
      status = @_locate(m, &size);
      if (status != @_GOOD) return m->status = status;
      reaches = reaches && size == whole;
    }
    @_accept(m, reaches ? stop : t + size);
    here = m->value[0] - t > 1e-13*(fabs(t) + h) ? 0 : here + 1;
    if (here > 100) return m->status = @_UNSETTLED;
    if (crossed || (reaches && stop == clock)) {
      status = @_take_event(m);
      if (status != @_GOOD) return m->status = status;
    }
  }
  return @_GOOD;
}
)c";

}  // namespace coenergy::generate
