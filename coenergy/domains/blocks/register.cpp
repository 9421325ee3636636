#include "coenergy/domains/blocks/register.hpp"

#include "coenergy/domains/blocks/backlash.hpp"
#include "coenergy/domains/blocks/chirp.hpp"
#include "coenergy/domains/blocks/comparator.hpp"
#include "coenergy/domains/blocks/constant.hpp"
#include "coenergy/domains/blocks/counter.hpp"
#include "coenergy/domains/blocks/custom.hpp"
#include "coenergy/domains/blocks/dead_zone.hpp"
#include "coenergy/domains/blocks/demux.hpp"
#include "coenergy/domains/blocks/derivative.hpp"
#include "coenergy/domains/blocks/encoder.hpp"
#include "coenergy/domains/blocks/expression.hpp"
#include "coenergy/domains/blocks/file_source.hpp"
#include "coenergy/domains/blocks/filter.hpp"
#include "coenergy/domains/blocks/gain.hpp"
#include "coenergy/domains/blocks/integrator.hpp"
#include "coenergy/domains/blocks/inverse_table.hpp"
#include "coenergy/domains/blocks/latch.hpp"
#include "coenergy/domains/blocks/logic.hpp"
#include "coenergy/domains/blocks/matrix_gain.hpp"
#include "coenergy/domains/blocks/mux.hpp"
#include "coenergy/domains/blocks/noise.hpp"
#include "coenergy/domains/blocks/pid.hpp"
#include "coenergy/domains/blocks/product.hpp"
#include "coenergy/domains/blocks/quantiser.hpp"
#include "coenergy/domains/blocks/ramp.hpp"
#include "coenergy/domains/blocks/rate_limiter.hpp"
#include "coenergy/domains/blocks/relay.hpp"
#include "coenergy/domains/blocks/resettable_integrator.hpp"
#include "coenergy/domains/blocks/s_curve_motion.hpp"
#include "coenergy/domains/blocks/sample_on_trigger.hpp"
#include "coenergy/domains/blocks/sampled_integrator.hpp"
#include "coenergy/domains/blocks/sampled_pid.hpp"
#include "coenergy/domains/blocks/saturation.hpp"
#include "coenergy/domains/blocks/selector.hpp"
#include "coenergy/domains/blocks/sine.hpp"
#include "coenergy/domains/blocks/spline_motion.hpp"
#include "coenergy/domains/blocks/state_machine.hpp"
#include "coenergy/domains/blocks/state_space.hpp"
#include "coenergy/domains/blocks/step.hpp"
#include "coenergy/domains/blocks/sum.hpp"
#include "coenergy/domains/blocks/switch.hpp"
#include "coenergy/domains/blocks/table.hpp"
#include "coenergy/domains/blocks/transfer_function.hpp"
#include "coenergy/domains/blocks/transport_delay.hpp"
#include "coenergy/domains/blocks/trapezoid_motion.hpp"
#include "coenergy/domains/blocks/unit_delay.hpp"
#include "coenergy/domains/blocks/zero_order_hold.hpp"
#include "coenergy/domains/blocks/zero_pole.hpp"

namespace coenergy::domains {

void register_blocks(model::Registry& registry) {
  registry.add<blocks::Constant>();
  registry.add<blocks::Step>();
  registry.add<blocks::Sine>();
  registry.add<blocks::Ramp>();
  registry.add<blocks::Gain>();
  registry.add<blocks::Sum>();
  registry.add<blocks::Saturation>();
  registry.add<blocks::Integrator>();
  registry.add<blocks::TransferFunction>();
  registry.add<blocks::StateSpace>();
  registry.add<blocks::Pid>();
  registry.add<blocks::SampledPid>();
  registry.add<blocks::ZeroOrderHold>();
  registry.add<blocks::Backlash>();
  registry.add<blocks::Chirp>();
  registry.add<blocks::Comparator>();
  registry.add<blocks::Counter>();
  registry.add<blocks::DeadZone>();
  registry.add<blocks::Derivative>();
  registry.add<blocks::Encoder>();
  registry.add<blocks::Expression>();
  registry.add<blocks::Filter>();
  registry.add<blocks::Custom>();
  registry.add<blocks::FileSource>();
  registry.add<blocks::InverseTable>();
  registry.add<blocks::Latch>();
  registry.add<blocks::Logic>();
  registry.add<blocks::MatrixGain>();
  registry.add<blocks::Mux>();
  registry.add<blocks::Demux>();
  registry.add<blocks::Noise>();
  registry.add<blocks::Product>();
  registry.add<blocks::Quantiser>();
  registry.add<blocks::RateLimiter>();
  registry.add<blocks::Relay>();
  registry.add<blocks::ResettableIntegrator>();
  registry.add<blocks::SCurveMotion>();
  registry.add<blocks::SampleOnTrigger>();
  registry.add<blocks::SampledIntegrator>();
  registry.add<blocks::Selector>();
  registry.add<blocks::SplineMotion>();
  registry.add<blocks::StateMachine>();
  registry.add<blocks::Switch>();
  registry.add<blocks::Table>();
  registry.add<blocks::TransportDelay>();
  registry.add<blocks::TrapezoidMotion>();
  registry.add<blocks::UnitDelay>();
  registry.add<blocks::ZeroPole>();
}

}  // namespace coenergy::domains
