/** Runs writes in order of arrival. While the gate is shut or held, writes wait; reads do not use it. */
export class Gate {
  #isShut = false;
  #holds = 0;
  #waiting: (() => void)[] = [];

  /** Runs the work at once, or when the gate opens. */
  async pass<T>(work: () => T): Promise<T> {
    if (!this.#isShut && this.#holds === 0) return work();
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  shut(): void {
    this.#isShut = true;
  }

  open(): void {
    this.#isShut = false;
    this.#runWaiting();
  }

  /** Keeps the gate closed, also while `open` is called, until the returned function is called once. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
      this.#runWaiting();
    };
  }

  /** Runs the waiting writes synchronously, so that no later write can overtake them. */
  #runWaiting(): void {
    if (this.#isShut || this.#holds > 0) return;
    for (const enter of this.#waiting.splice(0)) enter();
  }
}
