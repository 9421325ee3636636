#pragma once
#include "coenergy/domains/blocks/linear_system.hpp"

namespace coenergy::domains::blocks {

/// Transfer function by its zeros and poles, y(s)/u(s) = k Π(s − z_i)/Π(s − p_i), in the manner of TransferFunction.
///
/// zeros and poles are real parts; zeros_im and poles_im imaginary ones of the same number. An imaginary part other
/// than zero stands for the conjugate pair: it is written once. With `sample` they are those of z.
struct ZeroPole {
  Parameter u, gain;
  List zeros, zeros_im, poles, poles_im;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.ZeroPole", "transfer function by its gain, zeros and poles");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(gain, "k", "any", "gain").fallback("1");
    d.parameter(zeros, "zeros", "any", "zeros, or their real parts").optional();
    d.parameter(zeros_im, "zeros_im", "any", "imaginary parts of the zeros; other than 0: a conjugate pair")
        .optional()
        .used_with(zeros);
    d.parameter(poles, "poles", "any", "poles, or their real parts");
    d.parameter(poles_im, "poles_im", "any", "imaginary parts of the poles; other than 0: a conjugate pair").optional();
    sampling.describe(d);
    d.output("x#", "", "state 1, 2, ...");
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    Polynomial num = expand(eq, "zeros", zeros, zeros_im);
    for (Expr& c : num) c *= eq[gain];
    sampling.output(eq, "y", write_transfer(eq, num, expand(eq, "poles", poles, poles_im), eq[u], sampling));
  }

 private:
  static Polynomial expand(Equations& eq, const std::string& name, List real, List imaginary) {
    const std::vector<Expr> re = eq[real], im = eq[imaginary];
    const std::vector<double> is_pair = eq.numbers(imaginary);
    if (!im.empty() && im.size() != re.size())
      eq.refuse(name + "_im has " + std::to_string(im.size()) + " entries for " + std::to_string(re.size()) + " " +
                name);
    Polynomial product{Expr(1)};
    for (std::size_t k = 0; k < re.size(); ++k)
      product =
          multiply(product, !im.empty() && is_pair[k] != 0 ? Polynomial{1, -2 * re[k], re[k] * re[k] + im[k] * im[k]}
                                                           : Polynomial{1, -re[k]});
    return product;
  }
};

}  // namespace coenergy::domains::blocks
