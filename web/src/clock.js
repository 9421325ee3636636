/// The time that everything on the page shows: plots mark it, the 3-D view stands at it. It runs from `start` to `end`
/// and begins again while it is playing, `speed` seconds of the model for each second of the viewer.
export class Clock {
  constructor(start, end) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.speed = choose_speed(end - start);
    this.playing = false;
    this.loop = true;
    this.listeners = [];
  }

  /// Calls `listener(clock)` now and after each change.
  watch(listener) {
    this.listeners.push(listener);
    listener(this);
  }

  set(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.#tell();
  }

  play() {
    if (this.playing || this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    let last = performance.now();
    const step = (now) => {
      if (!this.playing) return;
      const next = this.time + (this.speed * Math.max(0, now - last)) / 1000;
      last = now;
      if (next > this.end && !this.loop) {
        this.playing = false;
        this.set(this.end);
        return;
      }
      this.set(next > this.end ? this.start : next);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    this.#tell();
  }

  pause() {
    this.playing = false;
    this.#tell();
  }

  #tell() {
    for (const listener of this.listeners) listener(this);
  }
}

/// Real time if the run then lasts between one second and one minute, otherwise about ten seconds.
function choose_speed(duration) {
  if (duration <= 0 || (duration >= 1 && duration <= 60)) return 1;
  return Number((duration / 10).toPrecision(1));
}
