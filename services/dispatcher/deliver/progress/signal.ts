/** Wakes a waiting loop. If no loop is waiting when the signal is raised, the next wait ends immediately. */
export class Signal {
  #isRaised = false;
  #wake: (() => void) | undefined;

  raise(): void {
    this.#isRaised = true;
    this.#wake?.();
  }

  async raised(): Promise<void> {
    if (!this.#isRaised) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isRaised = false;
    this.#wake = undefined;
  }
}
