import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { choose_direction, corner_direction, fit_camera } from "./camera.js";
import { button, element } from "./dom.js";
import { menu } from "./menu.js";
import { Motion } from "./motion.js";
import { round_down, to_text } from "./numbers.js";
import { make_shape } from "./shapes.js";
import { read_theme } from "./theme.js";

const force_color = "#b3309c";

/// The 3-D view. It draws only when something changed.
export class Stage {
  /// Nothing, if the browser cannot draw in three dimensions.
  static make(data, clock) {
    const probe = document.createElement("canvas").getContext("webgl2");
    if (!probe) return null;
    probe.getExtension("WEBGL_lose_context")?.loseContext();
    return new Stage(data, clock);
  }

  constructor(data, clock) {
    this.data = data;
    this.clock = clock;
    this.shows = { frames: false, traces: false, forces: true };
    this.followed = -1;
    this.up = new THREE.Vector3().fromArray(data.up).normalize();
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute(
      "aria-label",
      `3-D view of ${data.shapes
        .map((shape) => shape.name)
        .filter(Boolean)
        .join(", ")}`,
    );
    this.label = element("div", { class: "label", hidden: true });
    this.scale = element("div", { class: "scale" });
    this.root = element("div", { class: "stage" }, this.canvas, this.label, this.scale, this.#tools());
  }

  /// Builds the scene and shows its first instant; to be called when the page is laid out.
  start() {
    this.#measure();
    this.#build();
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.render());
    this.direction = choose_direction(this.box, this.up);
    new ResizeObserver(() => this.#resize()).observe(this.root);
    this.#resize();
    this.travels() ? this.#follow_first() : this.fit();
    this.canvas.addEventListener("pointermove", (event) => this.#point_at(event));
    this.canvas.addEventListener("pointerleave", () => (this.label.hidden = true));
    this.clock.watch(() => this.show_time());
  }

  show_time() {
    this.motion.set(this.clock.time);
    this.#follow();
    for (const picture of this.pictures) picture.update?.(this.motion);
    this.render();
  }

  render() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => this.render_now());
  }

  render_now() {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    this.renderer.render(this.scene, this.camera);
    this.root.dataset.time = this.clock.time;
  }

  /// New colours.
  redraw() {
    this.#build();
    this.show_time();
    this.render_now();
  }

  fit(direction = this.direction) {
    this.direction = direction;
    fit_camera(this.camera, this.controls.target, this.box, direction);
    this.controls.update();
    this.render();
  }

  /// The box that holds every shape at every time, and lengths derived from it.
  #measure() {
    this.motion = new Motion(this.data.frames, this.data.frameTime);
    this.box = new THREE.Box3();
    const point = new THREE.Vector3();
    const grow = (radius) =>
      this.box.union(new THREE.Box3(point.clone().subScalar(radius), point.clone().addScalar(radius)));
    const times = this.data.frameTime.length > 0 ? this.data.frameTime : [0];
    const samples = Math.min(80, times.length);
    for (let i = 0; i < samples; ++i) {
      this.motion.set(times[Math.round((i * (times.length - 1)) / Math.max(1, samples - 1))]);
      for (const shape of this.data.shapes) {
        if (shape.kind === "ground" || shape.kind === "trace") continue;
        for (const end of shape.points) (this.motion.locate(end, point), grow(shape.size[0] ?? 0));
        if (shape.points.length === 0) this.box.union(bound_shape(shape, this.motion));
      }
      if (i === 0) this.first = this.box.clone();
    }
    if (this.box.isEmpty()) this.box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.length = Math.max(this.box.getSize(point).length(), 1e-6);
    this.box.expandByScalar(0.02 * this.length);
    this.motion.set(this.clock.start);
  }

  #build() {
    const theme = read_theme();
    this.motion = new Motion(this.data.frames, this.data.frameTime);
    this.motion.set(this.clock.start);
    this.scene = new THREE.Scene();
    this.scene.add(this.motion.world, ...this.#lights());
    const sizes = {
      length: this.length,
      spacing: round_down(this.length / 4.5),
      gridColor: new THREE.Color(theme.stage),
    };
    let next = 0;
    const colored = new Set(["box", "cylinder", "sphere", "mesh", "line", "spring", "trace"]);
    const wanted = this.data.shapes.filter((shape) => shape.kind !== "arrow" || this.shows.forces);
    const all = [...wanted, ...this.#extras(), ...this.#own_ground()];
    this.pictures = all.map((shape) => {
      const color = shape.kind === "arrow" ? force_color : shape.color || theme.series[colored.has(shape.kind) ? next++ % theme.series.length : 0];
      return make_shape(shape, color, sizes, this.motion);
    });
    const ground = all.find((shape) => shape.kind === "ground");
    this.scale.textContent = `grid ${to_text(ground.size[1] ?? sizes.spacing).replace(/\.?0+$/, "")} m`;
  }

  /// What the reader of the page has asked for: axes of the frames, paths of their origins.
  #extras() {
    const plain = { name: "", color: "", size: [], pose: [0, 0, 0, 1, 0, 0, 0], points: [] };
    const frames = this.data.frames.map((frame, index) => [frame.name, index]).filter(([name]) => name);
    return [
      ...(this.shows.frames ? frames.map(([name, frame]) => ({ ...plain, kind: "frame", name, frame, size: [0.12 * this.length] })) : []),
      ...(this.shows.traces
        ? frames.map(([name, frame]) => ({ ...plain, kind: "trace", name: `path of ${name}`, frame: -1, points: [{ frame, offset: [0, 0, 0] }] }))
        : []),
    ];
  }

  /// A vehicle: its way is much longer than itself.
  travels() {
    const { pose } = this.data.frames[0] ?? { pose: [] };
    const end = pose.length - 7;
    const way = end > 0 ? Math.hypot(pose[end] - pose[0], pose[end + 1] - pose[1], pose[end + 2] - pose[2]) : 0;
    return !this.first.isEmpty() && way > 4 * this.first.getSize(new THREE.Vector3()).length();
  }

  #follow_first() {
    const way = this.box;
    this.box = this.first.clone().expandByScalar(0.1 * this.first.getSize(new THREE.Vector3()).length());
    this.fit(corner_direction(this.up));
    this.box = way;
    this.followed = 0;
    this.root.querySelector("select[aria-label=follow]").value = 0;
  }

  /// Moves camera and target with the frame that is followed.
  #follow() {
    if (this.followed < 0 || !this.controls) return;
    const now = new THREE.Vector3().setFromMatrixPosition(this.motion.group(this.followed).matrixWorld);
    if (this.last) {
      const step = now.clone().sub(this.last);
      this.camera.position.add(step);
      this.controls.target.add(step);
      this.controls.update();
    }
    this.last = now;
  }

  follow(frame) {
    this.followed = frame;
    this.last = null;
    if (frame < 0) return this.fit();
    const at = new THREE.Vector3().setFromMatrixPosition(this.motion.group(frame).matrixWorld);
    this.camera.position.add(at.clone().sub(this.controls.target));
    this.controls.target.copy(at);
    this.controls.update();
    this.show_time();
  }

  #toggle(what) {
    this.shows[what] = !this.shows[what];
    this.redraw();
  }

  /// A grid just below everything, unless the report brings its own ground.
  #own_ground() {
    if (this.data.shapes.some((shape) => shape.kind === "ground")) return [];
    const centre = this.box.getCenter(new THREE.Vector3());
    const half = this.box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const drop =
      half.toArray().reduce((sum, h, i) => sum + h * Math.abs(this.up.getComponent(i)), 0) + 0.02 * this.length;
    const at = centre.addScaledVector(this.up, -drop);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.up);
    return [
      {
        kind: "ground",
        size: [],
        name: "",
        color: "",
        frame: -1,
        pose: [at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z],
        points: [],
      },
    ];
  }

  #lights() {
    const sky = new THREE.HemisphereLight(0xffffff, 0xb0b8c4, 1.9);
    sky.position.copy(this.up);
    const sun = new THREE.DirectionalLight(0xffffff, 1.9);
    const centre = this.box.getCenter(new THREE.Vector3());
    sun.target.position.copy(centre);
    sun.position
      .copy(centre)
      .addScaledVector(corner_direction(this.up).addScaledVector(this.up, 0.9).normalize(), 2 * this.length);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.radius = 3;
    sun.shadow.normalBias = 0.004 * this.length;
    const reach = this.length;
    Object.assign(sun.shadow.camera, {
      left: -reach,
      right: reach,
      top: reach,
      bottom: -reach,
      near: 0.01 * reach,
      far: 5 * reach,
    });
    return [sky, sun, sun.target];
  }

  #tools() {
    const look = (x, y, z) => () =>
      this.fit(
        new THREE.Vector3(x, y, z)
          .addScaledVector(this.up, 1e-3)
          .addScaledVector(corner_direction(this.up), 1e-3)
          .normalize(),
      );
    const follow = element(
      "select",
      { "aria-label": "follow", title: "the camera moves with a body", change: (event) => this.follow(Number(event.target.value)) },
      element("option", { value: -1 }, "camera stands"),
      ...this.data.frames
        .map((frame, index) => [frame.name, index])
        .filter(([name]) => name)
        .slice(0, 500)
        .map(([name, index]) => element("option", { value: index }, `follow ${name}`)),
    );
    return element(
      "div",
      { class: "tools views" },
      this.data.frames.length > 0 ? follow : null,
      this.data.frames.length > 0
        ? menu("eye", "show more", [
            ["axes of bodies", () => this.#toggle("frames")],
            ["paths of bodies", () => this.#toggle("traces")],
            ...(this.data.shapes.some((shape) => shape.kind === "arrow") ? [["forces", () => this.#toggle("forces")]] : []),
          ])
        : null,
      button("fit", "show everything", () => this.fit(choose_direction(this.box, this.up))),
      button(null, "look from a corner", () => this.fit(corner_direction(this.up)), "3D"),
      button(null, "look against the x axis", look(1, 0, 0), "X"),
      button(null, "look along the y axis", look(0, -1, 0), "Y"),
      button(null, "look against the z axis", look(0, 0, 1), "Z"),
    );
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.render_now();
  }

  /// Shows the name of the shape under the pointer.
  #point_at(event) {
    const area = this.canvas.getBoundingClientRect();
    const place = new THREE.Vector2(
      (2 * (event.clientX - area.left)) / area.width - 1,
      1 - (2 * (event.clientY - area.top)) / area.height,
    );
    const ray = new THREE.Raycaster();
    ray.params.Line.threshold = 0.005 * this.length;
    ray.setFromCamera(place, this.camera);
    const hit =
      event.buttons === 0 &&
      ray
        .intersectObjects(
          this.pictures.map((picture) => picture.object),
          true,
        )
        .find(({ object }) => name_of(object));
    this.label.hidden = !hit;
    if (!hit) return;
    this.label.textContent = name_of(hit.object);
    this.label.style.transform = `translate(${event.clientX - area.left + 12}px, ${event.clientY - area.top + 12}px)`;
  }
}

/// The box, along the axes of the world, that holds a shape attached to a frame.
function bound_shape(shape, motion) {
  const { kind, size, frame, pose } = shape;
  const half = {
    box: ([x, y, z]) => [x / 2, y / 2, z / 2],
    cylinder: ([r, l]) => [r, r, l / 2],
    sphere: ([r]) => [r, r, r],
    mesh: () => (shape.half ??= mesh_reach(shape.triangles)),
  }[kind]?.(size) ?? [0, 0, 0];
  const corner = new THREE.Vector3().fromArray(half);
  const [x, y, z, qw, qx, qy, qz] = pose;
  const local = new THREE.Matrix4().compose(
    new THREE.Vector3(x, y, z),
    new THREE.Quaternion(qx, qy, qz, qw).normalize(),
    new THREE.Vector3(1, 1, 1),
  );
  return new THREE.Box3(corner.clone().negate(), corner).applyMatrix4(
    local.premultiply(motion.group(frame).matrixWorld),
  );
}

/// The largest distance from the origin along each axis.
function mesh_reach(triangles) {
  const reach = [0, 0, 0];
  triangles.forEach((x, i) => (reach[i % 3] = Math.max(reach[i % 3], Math.abs(x))));
  return reach;
}

function name_of(object) {
  for (let node = object; node; node = node.parent) if (node.userData.name) return node.userData.name;
  return "";
}
