// The bell's sound: two gongs and one clapper, made of decaying partials. Browsers allow sound only after a gesture.

const partials = [[1318, 1], [1661, 0.9], [2637, 0.35], [3520, 0.25]];
const strokesPerSecond = 20;

export class Bell {
  #context = null;
  #clapper = 0;
  #strokes = 0;
  #rings = false;

  get isAudible() { return this.#context !== null; }

  /// Call this from a gesture.
  toggle() {
    if (this.#context) {
      this.#context.close();
      this.#context = null;
    } else {
      this.#context = new AudioContext();
      this.#stroke(0.4);
    }
    this.#work();
  }

  strike(rings) {
    if (rings === this.#rings) return;
    this.#rings = rings;
    this.#work();
  }

  #work() {
    clearInterval(this.#clapper);
    if (!this.#rings || !this.#context) return;
    this.#stroke(1);
    this.#clapper = setInterval(() => this.#stroke(1), 1000 / strokesPerSecond);
  }

  #stroke(loudness) {
    const [context, gong] = [this.#context, this.#strokes++ % 2];
    const now = context.currentTime;
    for (const [frequency, share] of partials) {
      const [tone, level] = [context.createOscillator(), context.createGain()];
      tone.frequency.value = frequency * (gong ? 1.19 : 1);
      level.gain.setValueAtTime(0.07 * loudness * share, now);
      level.gain.exponentialRampToValueAtTime(0.0001, now + 0.5);
      tone.connect(level).connect(context.destination);
      tone.start(now);
      tone.stop(now + 0.55);
    }
  }
}
