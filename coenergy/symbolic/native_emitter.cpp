#if defined(COENERGY_ASMJIT) && defined(__x86_64__)
#include "coenergy/symbolic/native_emitter.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace coenergy::symbolic {

using namespace asmjit;
using Id = x86::Inst::Id;
using Code = Program::Code;

namespace {

// pointers stand 128 bytes behind what they point to, so that 32 doubles are within reach of a one-byte offset
constexpr std::int32_t bias = 128;

// predicates of cmppd and vcmppd; the first eight exist in SSE2
enum Predicate { is_equal = 0, is_less = 1, is_less_or_equal = 2, is_not_equal = 4 };

/// SSE2 scalar, AVX scalar, AVX packed.
struct Encodings {
  Id sse, avx, packed;
};

Encodings encodings(Code code) {
  switch (code) {
    case Code::add:
      return {Id::kIdAddsd, Id::kIdVaddsd, Id::kIdVaddpd};
    case Code::sub:
      return {Id::kIdSubsd, Id::kIdVsubsd, Id::kIdVsubpd};
    case Code::mul:
      return {Id::kIdMulsd, Id::kIdVmulsd, Id::kIdVmulpd};
    case Code::div:
      return {Id::kIdDivsd, Id::kIdVdivsd, Id::kIdVdivpd};
    case Code::min:
      return {Id::kIdMinsd, Id::kIdVminsd, Id::kIdVminpd};
    default:
      assert(code == Code::max);
      return {Id::kIdMaxsd, Id::kIdVmaxsd, Id::kIdVmaxpd};
  }
}

}  // namespace

Emitter::Emitter(const NativeOptions& options, bool makes_calls, std::int32_t work_bias, std::size_t expected_size)
    : lanes_(options.lanes),
      registers_(options.lanes == 8 ? 32
                 : options.avx      ? 16
                                    : 15),
      avx_(options.avx),
      calls_(makes_calls),
      work_bias_(work_bias) {
  holder_.init(Environment::host());
  holder_.attach(&a_);
  holder_.reserveBuffer(&holder_.textSection()->buffer(), expected_size);
  for (std::uint32_t i = 0; i < 32; ++i)
    r_[i] = lanes_ == 8 ? x86::Vec(x86::zmm(i)) : lanes_ == 4 ? x86::Vec(x86::ymm(i)) : x86::Vec(x86::xmm(i));
  // callee-saved registers where calls are made; those in most use have the short encodings
  const x86::Gp in = calls_ ? x86::rbx : x86::rdi, out = calls_ ? x86::r15 : x86::rsi;
  const x86::Gp work = calls_ ? x86::rbp : x86::rdx, pool = calls_ ? x86::r14 : x86::rcx;
  base_ = {x86::ptr(in), x86::ptr(in), x86::ptr(out), x86::ptr(work), x86::ptr(pool)};
  begin();
}

void Emitter::begin() {
  // lanes in the work array do not straddle cache lines
  if (lanes_ > 1) {
    a_.add(x86::rdx, 8 * lanes_ - 1);
    a_.and_(x86::rdx, -8 * lanes_);
  }
  if (calls_) {
    for (const x86::Gp& r : {x86::rbx, x86::rbp, x86::r14, x86::r15}) a_.push(r);
    a_.sub(x86::rsp, 8);
    a_.lea(x86::rbx, x86::ptr(x86::rdi, bias));
    a_.lea(x86::r15, x86::ptr(x86::rsi, bias));
    a_.lea(x86::rbp, x86::ptr(x86::rdx, bias + work_bias_));
    a_.lea(x86::r14, x86::ptr(x86::rcx, bias));
  } else {
    for (const x86::Gp& r : {x86::rdi, x86::rsi, x86::rcx}) a_.sub(r, -bias);
    a_.add(x86::rdx, bias + work_bias_);
  }
}

std::vector<std::uint8_t> Emitter::finish() {
  if (lanes_ > 1) a_.vzeroupper();
  if (calls_) {
    a_.add(x86::rsp, 8);
    for (const x86::Gp& r : {x86::r15, x86::r14, x86::rbp, x86::rbx}) a_.pop(r);
  }
  a_.ret();
  const CodeBuffer& buffer = holder_.textSection()->buffer();
  return {buffer.begin(), buffer.begin() + a_.offset()};
}

void Emitter::fill_masks(std::vector<std::uint64_t>& pool, int lanes) {
  const std::uint64_t one = std::bit_cast<std::uint64_t>(1.0);
  for (const std::uint64_t word : {std::uint64_t{1} << 63, ~(std::uint64_t{1} << 63), one, std::uint64_t{0}})
    pool.insert(pool.end(), static_cast<std::size_t>(std::max(lanes, 2)), word);
}

x86::Mem Emitter::memory(Place place) const {
  x86::Mem m = base_[static_cast<std::size_t>(place.base)];
  m.setOffset(place.offset - bias - (place.base == Base::work ? work_bias_ : 0));
  return m;
}

x86::Mem Emitter::mask(Mask m) const {
  return memory({Base::pool, static_cast<std::int32_t>(m) * std::max(lanes_, 2) * 8});
}

bool Emitter::is_inline(Code code, const NativeOptions& options) {
  switch (code) {
    case Code::add:
    case Code::sub:
    case Code::mul:
    case Code::div:
    case Code::min:
    case Code::max:
    case Code::neg:
    case Code::abs:
    case Code::sqrt:
      return true;
    case Code::floor:
      return options.avx && options.lanes < 8;
    case Code::sign:
    case Code::less:
    case Code::less_equal:
    case Code::equal:
    case Code::logical_and:
    case Code::logical_or:
    case Code::logical_not:
    case Code::select:
      return options.lanes < 8;
    default:
      return false;
  }
}

void Emitter::load(int d, Place a) {
  a_.emit(lanes_ > 1 ? Id::kIdVmovupd : avx_ ? Id::kIdVmovsd : Id::kIdMovsd, r_[d], memory(a));
}

void Emitter::store(Place d, int a) {
  a_.emit(lanes_ > 1 ? Id::kIdVmovupd : avx_ ? Id::kIdVmovsd : Id::kIdMovsd, memory(d), r_[a]);
}

void Emitter::move(int d, int a) {
  if (d != a) a_.emit(avx_ ? Id::kIdVmovapd : Id::kIdMovapd, r_[d], r_[a]);
}

void Emitter::binary(Code code, int d, int a, Source b) {
  const Encodings id = encodings(code);
  const Operand_ second = b.reg >= 0 ? Operand_(r_[b.reg]) : Operand_(memory(b.place));
  if (avx_) {
    a_.emit(lanes_ > 1 ? id.packed : id.avx, r_[d], r_[a], second);
    return;
  }
  // two-operand form: d = a first, unless that would overwrite b
  if (d == b.reg && d != a) {
    if (code == Code::add || code == Code::mul) {
      a_.emit(id.sse, r_[d], r_[a]);
      return;
    }
    const int spare = registers_;
    move(spare, b.reg);
    move(d, a);
    a_.emit(id.sse, r_[d], r_[spare]);
    return;
  }
  move(d, a);
  a_.emit(id.sse, r_[d], second);
}

void Emitter::bitwise(Id sse, Id avx, Id avx512, int d, int a, const Operand_& b) {
  if (avx_) {
    a_.emit(lanes_ == 8 ? avx512 : avx, r_[d], r_[a], b);
  } else {
    move(d, a);
    a_.emit(sse, r_[d], b);
  }
}

void Emitter::compare(int d, int a, const Operand_& b, int predicate) {
  if (avx_) {
    a_.emit(lanes_ > 1 ? Id::kIdVcmppd : Id::kIdVcmpsd, r_[d], r_[a], b, imm(predicate));
  } else {
    move(d, a);
    a_.emit(Id::kIdCmpsd, r_[d], b, imm(predicate));
  }
}

void Emitter::operation(Code code, int d, int t, int a, int b, int c) {
  const auto both = [&](int x, int y, const Operand_& z) {
    bitwise(Id::kIdAndpd, Id::kIdVandpd, Id::kIdVpandq, x, y, z);
  };
  switch (code) {
    case Code::neg:
      bitwise(Id::kIdXorpd, Id::kIdVxorpd, Id::kIdVpxorq, d, a, mask(sign_mask));
      return;
    case Code::abs:
      both(d, a, mask(magnitude_mask));
      return;
    case Code::sqrt:
      if (lanes_ > 1)
        a_.emit(Id::kIdVsqrtpd, r_[d], r_[a]);
      else if (avx_)
        a_.emit(Id::kIdVsqrtsd, r_[d], r_[a], r_[a]);
      else
        a_.emit(Id::kIdSqrtsd, r_[d], r_[a]);
      return;
    case Code::floor:
      // rounding mode 1 is downwards, 8 raises no inexact flag
      if (lanes_ > 1)
        a_.emit(Id::kIdVroundpd, r_[d], r_[a], imm(9));
      else
        a_.emit(Id::kIdVroundsd, r_[d], r_[a], r_[a], imm(9));
      return;
    case Code::less:
    case Code::less_equal:
    case Code::equal:
      compare(d, a, r_[b], code == Code::less ? is_less : code == Code::less_equal ? is_less_or_equal : is_equal);
      both(d, d, mask(one_mask));
      return;
    case Code::logical_not:
      compare(d, a, mask(zero_mask), is_equal);
      both(d, d, mask(one_mask));
      return;
    case Code::logical_and:
    case Code::logical_or:
      compare(t, a, mask(zero_mask), is_not_equal);
      compare(d, b, mask(zero_mask), is_not_equal);
      if (code == Code::logical_and)
        both(d, d, r_[t]);
      else
        bitwise(Id::kIdOrpd, Id::kIdVorpd, Id::kIdVporq, d, d, r_[t]);
      both(d, d, mask(one_mask));
      return;
    case Code::sign:
      // (0 < a) − (a < 0)
      load(t, {Base::pool, zero_mask * std::max(lanes_, 2) * 8});
      compare(d, t, r_[a], is_less);
      compare(t, a, mask(zero_mask), is_less);
      both(d, d, mask(one_mask));
      both(t, t, mask(one_mask));
      binary(Code::sub, d, d, {t, {}});
      return;
    case Code::select:
      compare(t, a, mask(zero_mask), is_not_equal);
      if (avx_) {
        a_.emit(Id::kIdVblendvpd, r_[d], r_[c], r_[b], r_[t]);
      } else {
        both(d, t, r_[b]);
        a_.emit(Id::kIdAndnpd, r_[t], r_[c]);
        a_.emit(Id::kIdOrpd, r_[d], r_[t]);
      }
      return;
    default:
      assert(!"bug: not an operation with an encoding of its own");
  }
}

namespace {
const x86::Gp integer_argument[] = {x86::rdi, x86::rsi, x86::rdx, x86::rcx};
}

void Emitter::argument_address(int index, Place place) { a_.lea(integer_argument[index], memory(place)); }
void Emitter::argument_word(int index, Place place) { a_.mov(integer_argument[index], memory(place)); }
void Emitter::argument_number(int index, std::int32_t number) { a_.mov(integer_argument[index].r32(), number); }

void Emitter::call(Place address) {
  assert(calls_);
  if (lanes_ > 1) a_.vzeroupper();
  x86::Mem target = memory(address);
  target.setSize(8);
  a_.call(target);
}

}  // namespace coenergy::symbolic
#endif
