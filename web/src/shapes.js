import * as THREE from "three";

/// Pictures of the report's shapes. Each maker returns { object, update(motion)?, path? }: `update` follows moving points.
/// `scene` gives { length, spacing } for sizes that the report leaves open, and colours.

const along_z = new THREE.Vector3(0, 0, 1);

const material = (color) => new THREE.MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.05 });

function make_mesh(geometry, color, edge_angle = 30) {
  const mesh = new THREE.Mesh(geometry, material(color));
  mesh.castShadow = mesh.receiveShadow = true;
  // dark edges give the body its form in flat light
  const edges = new THREE.EdgesGeometry(geometry, edge_angle);
  const line = new THREE.LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.28 });
  mesh.add(new THREE.LineSegments(edges, line));
  return mesh;
}

const make_box = ({ size: [x, y, z] }, color) => make_mesh(new THREE.BoxGeometry(x, y, z), color);
const make_sphere = ({ size: [radius] }, color) => make_mesh(new THREE.SphereGeometry(radius, 40, 24), color, 60);
const make_cylinder = ({ size: [radius, length] }, color) =>
  make_mesh(new THREE.CylinderGeometry(radius, radius, length, 48).rotateX(Math.PI / 2), color);

/// Triangles of a file.
function make_triangles({ triangles }, color) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(triangles), 3));
  geometry.computeVertexNormals();
  const mesh = new THREE.Mesh(geometry, material(color));
  mesh.material.side = THREE.DoubleSide;
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/// Three arrows, x red, y green, z blue.
function make_frame({ size }, scene) {
  const length = size[0] ?? 0.12 * scene.length;
  const group = new THREE.Group();
  const colors = [0xd8413c, 0x2f9e58, 0x3a73e0];
  colors.forEach((color, axis) => {
    const direction = new THREE.Vector3().setComponent(axis, 1);
    const rod = new THREE.CylinderGeometry(0.025 * length, 0.025 * length, 0.8 * length, 16).translate(
      0,
      0.4 * length,
      0,
    );
    const tip = new THREE.ConeGeometry(0.07 * length, 0.2 * length, 20).translate(0, 0.9 * length, 0);
    for (const geometry of [rod, tip]) {
      const mesh = new THREE.Mesh(geometry, material(color));
      mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), direction);
      group.add(mesh);
    }
  });
  return group;
}

/// A square grid that also shows shadows.
function make_ground({ size }, scene) {
  const spacing = size[1] ?? scene.spacing;
  const cells = Math.min(400, Math.max(2, 2 * Math.round((size[0] ?? 2.4 * scene.length) / spacing / 2)));
  const grid = new THREE.GridHelper(cells * spacing, cells, scene.gridColor, scene.gridColor).rotateX(Math.PI / 2);
  grid.material.transparent = true;
  grid.material.depthWrite = false;
  const plane = new THREE.Mesh(
    new THREE.PlaneGeometry(cells * spacing, cells * spacing),
    new THREE.ShadowMaterial({ opacity: 0.16, depthWrite: false, side: THREE.DoubleSide }),
  );
  plane.receiveShadow = true;
  const group = new THREE.Group();
  group.add(plane, grid);
  return group;
}

/// Round rods between successive points of `count`, with balls where they meet; `place(points)` moves them.
function make_rods(count, radius, color) {
  const rods = new THREE.InstancedMesh(
    new THREE.CylinderGeometry(radius, radius, 1, 20).rotateX(Math.PI / 2),
    material(color),
    Math.max(1, count - 1),
  );
  const balls = new THREE.InstancedMesh(new THREE.SphereGeometry(radius, 20, 12), rods.material, count);
  const object = new THREE.Group();
  object.add(rods, balls);
  const [at, turn, size, matrix, step] = [
    new THREE.Vector3(),
    new THREE.Quaternion(),
    new THREE.Vector3(),
    new THREE.Matrix4(),
    new THREE.Vector3(),
  ];
  const place = (points) => {
    points.forEach((point, i) => balls.setMatrixAt(i, matrix.makeTranslation(point)));
    for (let i = 0; i + 1 < count; ++i) {
      const length = step.subVectors(points[i + 1], points[i]).length();
      turn.setFromUnitVectors(along_z, length > 0 ? step.divideScalar(length) : along_z);
      at.addVectors(points[i], points[i + 1]).multiplyScalar(0.5);
      rods.setMatrixAt(i, matrix.compose(at, turn, size.set(1, 1, Math.max(length, 1e-9))));
    }
    for (const mesh of [rods, balls]) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = mesh.boundingBox = null;
      mesh.castShadow = true;
      mesh.frustumCulled = false;
    }
  };
  return { object, place };
}

function make_line({ size, points }, color, scene) {
  const { object, place } = make_rods(points.length, size[0] ?? 0.006 * scene.length, color);
  const ends = points.map(() => new THREE.Vector3());
  return { object, update: (motion) => place(points.map((point, i) => motion.locate(point, ends[i]))) };
}

/// A coil from 0 to 1 along z with straight ends, of the given radius.
class Coil extends THREE.Curve {
  constructor(radius, turns, length) {
    super();
    Object.assign(this, { radius, turns, length });
  }
  getPoint(t, target = new THREE.Vector3()) {
    const along = Math.min(1, Math.max(0, (t - 0.08) / 0.84));
    // the radius grows from the axis over a quarter turn, so that the ends meet the points
    const radius = this.radius * Math.min(1, 4 * this.turns * Math.min(along, 1 - along));
    const angle = 2 * Math.PI * this.turns * along;
    return target.set(radius * Math.cos(angle), radius * Math.sin(angle), t * this.length);
  }
}

function make_spring({ size, points }, color, scene, motion) {
  const [a, b] = points.map((point) => motion.locate(point));
  const rest = Math.max(a.distanceTo(b), 1e-3 * scene.length);
  const radius = size[0] ?? Math.min(0.03 * scene.length, 0.15 * rest);
  const turns = size[1] ?? 8;
  const wire = Math.min(0.16 * radius, (0.25 * rest) / turns);
  const geometry = new THREE.TubeGeometry(new Coil(radius, turns, rest), Math.ceil(28 * turns), wire, 8);
  const object = new THREE.Mesh(geometry, material(color));
  object.castShadow = true;
  const direction = new THREE.Vector3();
  const update = () => {
    motion.locate(points[0], object.position);
    const length = direction.subVectors(motion.locate(points[1], b), object.position).length();
    if (length > 0) object.quaternion.setFromUnitVectors(along_z, direction.divideScalar(length));
    object.scale.set(1, 1, Math.max(length, 1e-9) / rest);
  };
  return { object, update };
}

/// A rod with a tip, from the first point to the second; nothing where they meet.
function make_arrow({ size, points }, color, scene) {
  const radius = size[0] ?? 0.007 * scene.length;
  const tip_length = 5 * radius;
  const rod = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 1, 16).rotateX(Math.PI / 2), material(color));
  const tip = new THREE.Mesh(new THREE.ConeGeometry(2.4 * radius, tip_length, 20).rotateX(Math.PI / 2), rod.material);
  const object = new THREE.Group().add(rod, tip);
  const [from, to, along] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  const update = (motion) => {
    motion.locate(points[0], from);
    motion.locate(points[1], to);
    const length = along.subVectors(to, from).length();
    object.visible = length > 1e-3 * scene.length;
    if (!object.visible) return;
    object.position.copy(from);
    object.quaternion.setFromUnitVectors(along_z, along.divideScalar(length));
    // a short arrow is all tip
    const head = Math.min(tip_length, length);
    tip.scale.setScalar(head / tip_length);
    tip.position.z = length - head / 2;
    rod.visible = length > head;
    rod.scale.z = Math.max(length - head, 1e-9);
    rod.position.z = (length - head) / 2;
  };
  return { object, update };
}

/// The path of one point over the whole run; thin enough to be lines.
function make_trace({ points: [point] }, color, motion) {
  const count = Math.min(2000, motion.times.length);
  const path = [];
  for (let i = 0; i < count; ++i) {
    motion.set(motion.times[Math.floor((i * (motion.times.length - 1)) / Math.max(1, count - 1))]);
    path.push(motion.locate(point));
  }
  motion.set(motion.times[0]);
  const line = new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.75 });
  return { object: new THREE.Line(new THREE.BufferGeometry().setFromPoints(path), line) };
}

/// The picture of one shape, hung into the scene of `motion`.
export function make_shape(shape, color, scene, motion) {
  const fixed = { box: make_box, sphere: make_sphere, cylinder: make_cylinder, mesh: make_triangles }[shape.kind];
  let picture;
  if (fixed) picture = { object: fixed(shape, color) };
  else if (shape.kind === "frame") picture = { object: make_frame(shape, scene) };
  else if (shape.kind === "ground") picture = { object: make_ground(shape, scene) };
  else if (shape.kind === "line") picture = make_line(shape, color, scene);
  else if (shape.kind === "arrow") picture = make_arrow(shape, color, scene);
  else if (shape.kind === "spring") picture = make_spring(shape, color, scene, motion);
  else picture = make_trace(shape, color, motion);

  // shapes through points live in the world, the others in their frame
  const free = shape.points.length > 0;
  if (!free) {
    const holder = new THREE.Group();
    const [x, y, z, qw, qx, qy, qz] = shape.pose;
    holder.position.set(x, y, z);
    holder.quaternion.set(qx, qy, qz, qw).normalize();
    holder.add(picture.object);
    motion.group(shape.frame).add(holder);
  } else motion.world.add(picture.object);
  picture.object.userData.name = shape.name;
  return picture;
}
