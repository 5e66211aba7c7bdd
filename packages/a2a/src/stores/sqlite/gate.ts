/** Where writes pass in the order in which they came. While it is shut they wait; reads go elsewhere. */
export class Gate {
  #isShut = false;
  #waiting: (() => void)[] = [];

  /** Does the work at once, or when the gate opens. */
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

  /** Those who waited go at once, so nobody can overtake them. */
  open(): void {
    this.#isShut = false;
    for (const enter of this.#waiting.splice(0)) enter();
  }
}
