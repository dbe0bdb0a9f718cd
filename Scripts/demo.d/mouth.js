// Collects the microphone's samples into blocks of 20 ms.
class Mouth extends AudioWorkletProcessor {
  #block = new Int16Array(960);
  #count = 0;

  process([[samples]]) {
    for (const sample of samples ?? []) {
      this.#block[this.#count++] = Math.max(-1, Math.min(1, sample)) * 32_767;
      if (this.#count < this.#block.length) continue;
      this.port.postMessage(this.#block.slice().buffer);
      this.#count = 0;
    }
    return true;
  }
}

registerProcessor("mouth", Mouth);
