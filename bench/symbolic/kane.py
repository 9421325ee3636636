"""Equations of motion of the 7-joint chain of chain.hpp by SymPy's Kane method.

Prints the seconds of the derivation, then the seven joint torques at each of three points.
"""
import math
import time

import sympy as sm
import sympy.physics.mechanics as me

JOINTS = 7

q = me.dynamicsymbols(f"q1:{JOINTS + 1}")
u = me.dynamicsymbols(f"u1:{JOINTS + 1}")
t = me.dynamicsymbols._t
gravity = sm.Symbol("g")
numbers = [gravity]

begin = time.process_time()
world = me.ReferenceFrame("N")
joint = me.Point("O")
joint.set_vel(world, 0)
frame, bodies, loads = world, [], []
for i in range(JOINTS):
    m = sm.Symbol(f"m{i}")
    l = sm.symbols(f"l{i}_1:4")
    d = sm.symbols(f"d{i}_1:4")
    inertia = sm.symbols(f"I{i}_11 I{i}_12 I{i}_13 I{i}_22 I{i}_23 I{i}_33")
    numbers += [m, *l, *d, *inertia]
    axis = (frame.x, frame.y, frame.z)[(i + 2) % 3]
    child = frame.orientnew(f"A{i}", "Axis", (q[i], axis))
    child.set_ang_vel(frame, u[i] * axis)
    along = lambda a: a[0] * child.x + a[1] * child.y + a[2] * child.z
    centre = joint.locatenew(f"G{i}", along(l))
    centre.v2pt_theory(joint, world, child)
    dyadic = me.inertia(child, inertia[0], inertia[3], inertia[5], inertia[1], inertia[4], inertia[2])
    bodies.append(me.RigidBody(f"B{i}", centre, child, m, (dyadic, centre)))
    loads.append((centre, -m * gravity * world.z))
    following = joint.locatenew(f"O{i + 1}", along(d))
    following.v2pt_theory(joint, world, child)
    frame, joint = child, following

kane = me.KanesMethod(world, q_ind=q, u_ind=u, kd_eqs=[q[i].diff(t) - u[i] for i in range(JOINTS)])
kane.kanes_equations(bodies, loads)
mass, forcing = kane.mass_matrix, kane.forcing
seconds = time.process_time() - begin

# the inputs of chain.hpp in their order: q, qd, qdd, then the numbers; each a fixed function of its position
function = sm.lambdify([*q, *u, *numbers], [*mass, *forcing], modules="math", cse=True)
print(f"{seconds:.3f}")
for point in range(3):
    value = [0.5 + 0.4 * math.sin(i + 1 + 1000 * point) for i in range(3 * JOINTS + len(numbers))]
    result = function(*value[: 2 * JOINTS], *value[3 * JOINTS :])
    m, f = result[: JOINTS * JOINTS], result[JOINTS * JOINTS :]
    acceleration = value[2 * JOINTS : 3 * JOINTS]
    for i in range(JOINTS):
        print(repr(sum(m[i * JOINTS + j] * acceleration[j] for j in range(JOINTS)) - f[i]))
