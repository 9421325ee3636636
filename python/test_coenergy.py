"""What the Python package promises. Run by ctest with the module of the build on the path."""
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import coenergy as ce

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
CIRCUIT = """
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 1 uF}
simulate: {t_end: 5 ms}
plots: [[C.v]]
"""
ARM = """
components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  j1: {type: multibody.Revolute, parent: ground, child: upper}
  upper: {type: multibody.Body, mass: 3 kg, com: [0.5, 0, 0], inertia: [0.01, 0.02, 0.02]}
  j2: {type: multibody.Revolute, parent: upper, parent_at: [1, 0, 0], child: lower}
  lower: {type: multibody.Body, mass: 2 kg, com: [0.4, 0, 0], inertia: [0.01, 0.02, 0.02]}
simulate: {t_end: 0.1 s}
"""


class Runs(unittest.TestCase):
    def test_a_charging_capacitor_follows_its_closed_form(self):
        r = ce.parse(CIRCUIT).run(t_end=3e-3, rtol=1e-9, atol=1e-10)
        # 1e-9 of each of about a hundred steps
        self.assertLess(np.abs(r["C.v"] - 5 * (1 - np.exp(-r.t / 1e-3))).max(), 1e-7)
        self.assertEqual(r.units["C.v"], "V")
        self.assertEqual(r.status, "done")
        self.assertEqual(r.t[-1], 3e-3)

    def test_signals_are_views_of_the_numbers(self):
        r = ce.parse(CIRCUIT).run()
        self.assertTrue(np.shares_memory(r["C.v"], r.values))
        self.assertTrue(np.shares_memory(r["C.v"], r["C.v"]))
        with self.assertRaises(ValueError):
            r["C.v"][0] = 1
        kept = r["C.v"]
        last = kept[-1]
        del r
        self.assertEqual(kept[-1], last)

    def test_reading_a_large_result_copies_nothing(self):
        r = ce.parse(CIRCUIT).run(t_end=2.0, step=1e-5, method="rk4")
        self.assertGreater(len(r), 200000)
        import tracemalloc

        tracemalloc.start()
        columns = [r[name] for name in r.names]
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(used, 20000)  # the arrays themselves, not one of their columns (1.6 MB)
        self.assertEqual(len(columns), len(r.names))
        self.assertTrue(np.shares_memory(r.to_pandas().values, r.values) if has("pandas") else True)

    def test_values_are_changed_by_name(self):
        m = ce.parse(CIRCUIT)
        m["R.R"] = "2 kohm"
        self.assertEqual(m["R.R"], "2 kohm")
        m["C.C"] = 2e-6
        r = m.run(t_end="4 ms", rtol=1e-9)
        self.assertAlmostEqual(r["C.v"][-1], 5 * (1 - math.exp(-1)), delta=1e-6)
        self.assertEqual(m.signals["C.v"], "V")
        self.assertEqual(m.parameters["R.R"], (2000.0, "ohm"))
        other = m.copy()
        other["R.R"] = "1 kohm"
        self.assertEqual(m["R.R"], "2 kohm")

    def test_progress_may_stop_a_run(self):
        seen = []

        def progress(t, fraction):
            seen.append(fraction)
            return t < 1e-3

        r = ce.parse(CIRCUIT).run(progress=progress)
        self.assertEqual(r.status, "stopped")
        self.assertTrue(seen and r.t[-1] < 5e-3)

    def test_an_exception_in_progress_ends_the_run(self):
        def progress(t, fraction):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            ce.parse(CIRCUIT).run(progress=progress)

    def test_files_and_pages(self):
        r = ce.parse(CIRCUIT).run()
        with tempfile.TemporaryDirectory() as folder:
            r.save(os.path.join(folder, "r.csv"))
            data = np.genfromtxt(os.path.join(folder, "r.csv"), delimiter=",", skip_header=2)
            self.assertTrue(np.array_equal(data[:, 1:], r.values))
            r.plot("C.v").save(os.path.join(folder, "p.svg"))
            with self.assertRaisesRegex(ce.Error, "must end with"):
                r.save(os.path.join(folder, "r.xlsx"))
        self.assertIn("<svg", r.plot()._repr_svg_())
        self.assertIn("<iframe", r._repr_html_())

    def test_other_libraries_take_results(self):
        r = ce.parse(CIRCUIT).run()
        if has("pandas"):
            frame = r.to_pandas()
            self.assertEqual(frame["C.v"].iloc[-1], r["C.v"][-1])
            self.assertEqual(frame.attrs["units"]["C.v"], "V")
        if has("xarray"):
            data = r.to_xarray()
            self.assertEqual(float(data["C.v"][-1]), r["C.v"][-1])
            self.assertEqual(data["C.v"].attrs["units"], "V")

    def test_functions_of_python_stand_in_expressions(self):
        m = ce.parse(CIRCUIT)
        m.define("twice", lambda t: 2.0 * t, ["s"], "V")
        m["U.v"] = "1000*twice(time)"
        r = m.run(rtol=1e-8)
        self.assertLess(np.abs(r["a.v"] - 2000 * r.t).max(), 1e-9)
        m.define("broken", lambda t: 1 // 0, ["s"], "V")
        m["U.v"] = "broken(time)"
        with self.assertRaises(ZeroDivisionError):
            m.run()


class Driven(unittest.TestCase):
    def test_inputs_and_saved_states(self):
        sim = ce.parse(CIRCUIT).simulator()
        sim.set("U.v", 10.0)
        for _ in range(10):
            self.assertTrue(sim.step(1e-4))
        self.assertAlmostEqual(sim.time, 1e-3)
        self.assertAlmostEqual(sim.get("C.v"), 10 * (1 - math.exp(-1)), delta=1e-4)
        state = sim.save()
        sim.step(1e-3)
        once = sim.values()
        sim.load(state)
        sim.step(1e-3)
        self.assertTrue(np.array_equal(once, sim.values()))
        self.assertEqual(sim.get("R.R"), 1000.0)

    def test_a_closed_simulator_is_refused(self):
        with ce.parse(CIRCUIT).simulator() as sim:
            sim.step(1e-4)
        for use in (lambda: sim.step(1e-4), lambda: sim.get("C.v"), lambda: sim.set("U.v", 1), sim.save):
            with self.assertRaisesRegex(ce.Error, "closed"):
                use()

    def test_overhead_of_a_step(self):
        # the call itself: a step of a run that has ended does nothing else
        sim = ce.parse(CIRCUIT).simulator(t_end=1e-4)
        sim.step(2e-4)
        best = min(timed(lambda: [sim.step(1e-4) for _ in range(20000)]) for _ in range(5)) / 20000
        print(f"\noverhead of sim.step: {1e6 * best:.2f} us")
        self.assertLess(best, 2e-6)

    def test_two_threads_run_at_once(self):
        models = [ce.parse(CIRCUIT) for _ in range(2)]

        def work(m):
            m.run(t_end=0.2, step=2e-6, method="rk4", output_step=1e-2)

        work(models[0])
        alone = timed(lambda: [work(m) for m in models])
        threads = [threading.Thread(target=work, args=(m,)) for m in models]

        def both():
            for t in threads:
                t.start()
            # this thread holds Python's lock in between: a run must not need it
            for t in threads:
                t.join()

        together = timed(both)
        print(f"\ntwo runs behind each other {alone:.2f} s, in two threads {together:.2f} s: {alone / together:.2f} times")
        if os.cpu_count() >= 2 and os.getloadavg()[0] < 0.5:  # else others use the processors
            self.assertGreater(alone / together, 1.9)

    def test_the_lock_of_python_is_free_while_a_run_lasts(self):
        counted = 0
        done = threading.Event()
        thread = threading.Thread(
            target=lambda: (ce.parse(CIRCUIT).run(t_end=0.2, step=2e-6, method="rk4", output_step=1e-2), done.set())
        )
        thread.start()
        while not done.is_set():
            counted += 1
            time.sleep(1e-3)
        thread.join()
        self.assertGreater(counted, 20)


class Analyses(unittest.TestCase):
    def test_linear_models_have_names(self):
        m = ce.parse(CIRCUIT)
        s = m.linearize(input="U.v", output="C.v")
        self.assertEqual((s.inputs, s.outputs), (["U.v"], ["C.v"]))
        self.assertAlmostEqual(s.A[0, 0], -1000, delta=1e-9)
        self.assertAlmostEqual(m.modes()[0].eigenvalue.real, -1000, delta=1e-9)
        f = m.bode(input="U.v", output="C.v", from_=159.15494309189535, to=159.15494309189535, points=1)
        self.assertAlmostEqual(f.decibel[0, 0, 0], -10 * math.log10(2), delta=1e-9)
        self.assertIn("<svg", m.bode(input="U.v", output="C.v").plot()._repr_svg_())
        if has("control"):
            self.assertEqual(s.to_control().A[0, 0], s.A[0, 0])

    def test_equilibrium(self):
        m = ce.parse(ARM)
        m["j1.q0"] = "-1.4 rad"
        m["j2.q0"] = "-0.1 rad"
        rest = m.equilibrium()
        self.assertTrue(rest.stable)
        self.assertAlmostEqual(rest["j1.q"], -math.pi / 2, delta=1e-8)
        with self.assertRaises(ce.Error) as caught:
            rest["j1.p"]
        self.assertEqual(caught.exception.suggestion, "j1.q")

    def test_functions_of_mechanisms_over_rows(self):
        f = ce.parse(ARM).function("inverse-dynamics")
        rng = np.random.default_rng(7)
        names = list(f.inputs)
        rows = {name: rng.normal(size=(1001, len(f.inputs[name]))) for name in names[:3]}
        many = f(**rows)
        self.assertEqual(many.shape, (1001, 2))
        for k in (0, 500, 1000):
            # lanes and one row: the same operations
            self.assertTrue(np.array_equal(f(**{n: rows[n][k] for n in rows}), many[k]))
        # at rest: torques hold the weights
        q = np.zeros((1, 2))
        at_rest = f(**{names[0]: q, names[1]: q, names[2]: q})[0]
        self.assertTrue(np.allclose(np.abs(at_rest), [9.81 * (3 * 0.5 + 2 * 1.4), 9.81 * 2 * 0.4], rtol=1e-12))

    def test_verbs_of_the_command_line(self):
        m = ce.parse(CIRCUIT)
        rows = m.sweep(parameter="U.v", value=[1, 2], signal="C.v")["rows"]
        self.assertAlmostEqual(rows[1]["signals"]["C.v"], 2 * rows[0]["signals"]["C.v"], delta=1e-6)
        self.assertEqual(m.check()["states"], 1)
        self.assertEqual(ce.describe("electrical.Resistor")["type"], "electrical.Resistor")
        with self.assertRaisesRegex(ce.Error, "did you mean"):
            m.sweep(parameter="R.R", value=1, signal="C.w")


class Mistakes(unittest.TestCase):
    def test_errors_tell_their_place_and_what_was_meant(self):
        with self.assertRaises(ce.Error) as caught:
            ce.parse(CIRCUIT.replace("electrical.Resistor", "electrical.Resistr"), "c.yaml").run()
        e = caught.exception
        self.assertEqual((e.file, e.line, e.column), ("c.yaml", 4, 13))
        self.assertEqual(e.suggestion, "electrical.Resistor")
        r = ce.parse(CIRCUIT).run()
        with self.assertRaises(ce.Error) as caught:
            r["C.w"]
        self.assertEqual(caught.exception.suggestion, "C.v")
        m = ce.parse(CIRCUIT)
        for use in (
            lambda: m.run(method="radou"),
            lambda: m.simulator().get("C.w"),
            lambda: m.simulator().set("U.w", 1),
            lambda: m.linearize(input="U.w"),
            lambda: m.function("inverse-dynamic"),
            lambda: r.plot("C.w"),
        ):
            with self.assertRaises(ce.Error) as caught:
                use()
            self.assertIsNotNone(caught.exception.suggestion, str(caught.exception))

    def test_wrong_kinds_and_shapes(self):
        m = ce.parse(CIRCUIT)
        with self.assertRaises(ce.Error):
            m.run(t_end=[1])
        with self.assertRaises(ce.Error):
            m.run(t_end="5 V")
        with self.assertRaises(ce.Error):
            m["R.R"] = object()
        with self.assertRaises(TypeError):
            m.simulator().set("U.v", "ten")
        f = ce.parse(ARM).function("inverse-dynamics")
        name = list(f.inputs)[0]
        with self.assertRaisesRegex(ce.Error, "must have the shape"):
            f(**{name: np.zeros((4, 3))})
        with self.assertRaisesRegex(ce.Error, "no input"):
            f(nothing=1)

    def test_a_run_that_fails_raises(self):
        m = ce.parse(CIRCUIT)
        m["U.v"] = "1 V*sqrt(1 - time/(1 ms))"
        with self.assertRaises(ce.Failure) as caught:
            m.run()
        self.assertLess(caught.exception.result.t[-1], 1.001e-3)


class Package(unittest.TestCase):
    def test_the_tutorial_runs_and_is_the_notebook(self):
        path = os.path.join(HERE, "tutorial.py")
        done = subprocess.run([sys.executable, path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("meant: R", done.stdout)
        with tempfile.TemporaryDirectory() as folder:
            made = os.path.join(folder, "t.ipynb")
            subprocess.run([sys.executable, os.path.join(HERE, "make_notebook.py"), path, made], check=True)
            with open(made) as a, open(os.path.join(HERE, "tutorial.ipynb")) as b:
                notebook = json.load(a)
                self.assertEqual(notebook, json.load(b))
        scope = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), scope)

    def test_types_are_strict(self):
        if subprocess.run(["sh", "-c", "command -v mypy"], capture_output=True).returncode != 0:
            self.skipTest("no mypy")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                ["mypy", "--strict", "--cache-dir", folder, "-p", "coenergy"], capture_output=True, text=True, cwd=os.path.join(HERE, "package")
            )
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_stubs_name_what_the_module_has(self):
        import ast

        import coenergy._coenergy as native

        with open(os.path.join(HERE, "package", "coenergy", "_coenergy.pyi")) as file:
            tree = ast.parse(file.read())
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                for item in node.body:
                    name = item.name if isinstance(item, ast.FunctionDef) else getattr(getattr(item, "target", None), "id", None)
                    if name:
                        self.assertTrue(hasattr(getattr(native, node.name), name), f"{node.name}.{name}")

    def test_import_to_first_plot_is_quick(self):
        script = (
            "import time; t = time.process_time()\n"
            "import coenergy as ce\n"
            f"m = ce.load({os.path.join(TOP, 'examples', '02_rlc', 'rlc.yaml')!r}); r = m.run(); r.plot()._repr_svg_()\n"
            "print(time.process_time() - t)\n"
        )
        best = min(
            float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
            for _ in range(3)
        )
        print(f"\nimport to first plot: {best:.3f} s of processor time")
        self.assertLess(best, 0.3)


def has(module):
    import importlib.util

    return importlib.util.find_spec(module) is not None


def timed(action):
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


if __name__ == "__main__":
    unittest.main()
