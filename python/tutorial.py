# %% [markdown]
# # coenergy from Python
#
# A motor that turns a wheel: made here, run, driven by hand, linearised. The same words as on the command line.

# %%
import numpy as np

import coenergy as ce

m = ce.Model("motor and wheel")
m.add("U", "electrical.VoltageSource", p="a", n="gnd", v="12 V")
m.add("motor", "converters.DcMachine", p="a", n="gnd", shaft="wheel.shaft", k="40 mV.s/rad", R="0.9 ohm", L="3 mH")
m.add("wheel", "mechanical.Inertia", J="2e-4 kg.m2")
m.add("oil", "mechanical.RotationalDamper", a="ground", b="wheel.shaft", d="3e-4 N.m.s/rad")
m["simulate.t_end"] = "1 s"
m

# %% [markdown]
# A run gives arrays: views of its numbers, in SI.

# %%
r = m.run()
print(r.text, len(r), "rows")
print(f"speed at the end: {r['wheel.w'][-1]:.3f} {r.units['wheel.w']}")
r.plot("wheel.w", "motor.i")

# %% [markdown]
# Changed, it is run again. A closed form tells what must come out: ω = k U/(k² + R d).

# %%
m["motor.R"] = "1.2 ohm"
r = m.run(t_end=3, rtol=1e-9)
k, d = 0.04, 3e-4
assert abs(r["wheel.w"][-1] - k * 12 / (k**2 + 1.2 * d)) < 1e-5

# %% [markdown]
# A controller of one's own, sampled each millisecond, drives it.

# %%
sim = m.simulator(t_end=2)
integral, wanted = 0.0, 150.0
for _ in range(1000):
    error = wanted - sim.get("wheel.w")
    integral += 1e-3 * error
    sim.set("U.v", float(np.clip(0.4 * error + 4.0 * integral, -24, 24)))
    sim.step(1e-3)
print(f"at {sim.time:.3f} s: {sim.get('wheel.w'):.3f} rad/s")
state = sim.save()
sim.step(0.1)
sim.load(state)

# %% [markdown]
# The linear model has names; its poles are the modes.

# %%
linear = m.linearize(input="U.v", output="wheel.w")
print(linear.states, linear.A)
poles = np.sort(np.linalg.eigvals(linear.A).real)
modes = np.sort([mode.eigenvalue.real for mode in m.modes() if abs(mode.eigenvalue) > 0])
print(poles, modes)
m.bode(input="U.v", output="wheel.w", from_=0.1, to=100).plot()

# %% [markdown]
# Functions of Python stand in expressions.

# %%
m.define("brake", lambda w: -0.002 * w * abs(w) * 1e-2, ["rad/s"], "N.m")
m.add("air", "mechanical.Torque", flange="wheel.shaft", tau="brake(wheel.w)")
print(f"with the brake: {m.run()['wheel.w'][-1]:.3f} rad/s")

# %% [markdown]
# Mistakes are exceptions that tell where and what was meant.

# %%
try:
    m["motor.RR"] = "1 ohm"
    m.run()
except ce.Error as error:
    print(error, "| meant:", error.suggestion)
