#pragma once

namespace coenergy::study {

/// The t with P(|T| ≤ t) = probability for Student's distribution.
double student_quantile(double probability, double freedoms);

}  // namespace coenergy::study
