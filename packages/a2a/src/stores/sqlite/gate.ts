/** Runs writes in order of arrival. While the gate is shut, writes wait; reads do not use it. */
export class Gate {
  #isShut = false;
  #waiting: (() => void)[] = [];

  /** Runs the work at once, or when the gate opens. */
  async pass<T>(work: () => T): Promise<T> {
    if (!this.#isShut) return work();
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

  /** Runs the waiting writes synchronously, so that no later write can overtake them. */
  open(): void {
    this.#isShut = false;
    for (const enter of this.#waiting.splice(0)) enter();
  }
}
