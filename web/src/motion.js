import * as THREE from "three";
import { first_after } from "./numbers.js";

/// The moving frames as groups of the scene. Between two stored times positions are interpolated linearly and rotations
/// along the shortest arc.
export class Motion {
  constructor(frames, times) {
    this.times = times;
    this.tracks = frames.map((frame) => ({ name: frame.name, pose: fill_gaps(frame.pose), group: new THREE.Group() }));
    this.world = new THREE.Group();
    this.world.add(...this.tracks.map((track) => track.group));
    this.next = new THREE.Quaternion();
  }

  /// The group of frame `index`; −1 is the world.
  group(index) {
    return index < 0 ? this.world : this.tracks[index].group;
  }

  set(time) {
    const last = this.times.length - 1;
    const low = Math.max(0, Math.min(last - 1, first_after(this.times, time) - 1));
    const span = last > 0 ? this.times[low + 1] - this.times[low] : 0;
    const part = span > 0 ? Math.min(1, Math.max(0, (time - this.times[low]) / span)) : 0;
    for (const { pose, group } of this.tracks) {
      const a = pose.length === 7 ? 0 : 7 * low;
      const b = pose.length === 7 || last === 0 ? a : a + 7;
      const mix = (i) => pose[a + i] + part * (pose[b + i] - pose[a + i]);
      group.position.set(mix(0), mix(1), mix(2));
      this.next.set(pose[b + 4], pose[b + 5], pose[b + 6], pose[b + 3]);
      group.quaternion
        .set(pose[a + 4], pose[a + 5], pose[a + 6], pose[a + 3])
        .slerp(this.next, part)
        .normalize();
    }
    this.world.updateMatrixWorld(true);
  }

  /// Where a point { frame, offset } now is in the world.
  locate(point, target = new THREE.Vector3()) {
    return target.fromArray(point.offset).applyMatrix4(this.group(point.frame).matrixWorld);
  }
}

/// Numbers that are missing keep the value before.
function fill_gaps(pose) {
  const filled = Float64Array.from(pose, (value) => value ?? NaN);
  for (let i = 0; i < filled.length; ++i)
    if (Number.isNaN(filled[i])) filled[i] = i >= 7 ? filled[i - 7] : i === 3 ? 1 : 0;
  return filled;
}
