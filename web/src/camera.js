import * as THREE from "three";

/// The direction from which to look first: along the thin side of a plane mechanism, otherwise from a corner.
/// `up` is the upward unit vector; the thin axis counts if it is below 30 % of the middle one.
export function choose_direction(box, up) {
  const size = box.getSize(new THREE.Vector3()).toArray();
  const order = [0, 1, 2].sort((a, b) => size[a] - size[b]);
  const corner = corner_direction(up);
  const thin = new THREE.Vector3().setComponent(order[0], 1);
  if (size[order[0]] > 0.3 * size[order[1]]) return corner;
  // the negative y axis shows x to the right when z is up
  if (order[0] === 1) thin.negate();
  return thin.addScaledVector(corner, thin.dot(corner) < 0 ? -0.28 : 0.28).normalize();
}

/// Between the horizontal axes and somewhat from above.
export function corner_direction(up) {
  const axis = [0, 1, 2].sort((a, b) => Math.abs(up.getComponent(b)) - Math.abs(up.getComponent(a)))[0];
  const forward = new THREE.Vector3().setComponent((axis + 1) % 3, 1);
  const side = new THREE.Vector3().crossVectors(up, forward);
  return new THREE.Vector3()
    .addScaledVector(forward, 0.62)
    .addScaledVector(side, -0.9)
    .addScaledVector(up, 0.5)
    .normalize();
}

/// Puts the camera in `direction` from the middle of the box, as near as shows the whole box with some room.
export function fit_camera(camera, target, box, direction) {
  box.getCenter(target);
  camera.position.copy(target).add(direction);
  camera.lookAt(target);
  camera.updateMatrixWorld();
  const [right, up, back] = [0, 1, 2].map((i) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, i));
  const high = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2));
  const wide = high * camera.aspect;

  // each corner asks for a distance d with |x| ≤ (d − z) tan(angle/2)
  let distance = 0;
  for (let i = 0; i < 8; ++i) {
    const corner = new THREE.Vector3(
      i & 1 ? box.max.x : box.min.x,
      i & 2 ? box.max.y : box.min.y,
      i & 4 ? box.max.z : box.min.z,
    ).sub(target);
    const depth = corner.dot(back);
    distance = Math.max(distance, Math.abs(corner.dot(right)) / wide + depth, Math.abs(corner.dot(up)) / high + depth);
  }
  distance = 1.12 * Math.max(distance, 1e-6);
  camera.position.copy(target).addScaledVector(direction, distance);
  camera.near = distance / 200;
  camera.far = distance * 200;
  camera.updateProjectionMatrix();
}
