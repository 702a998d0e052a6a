/** Wakes a waiting loop. A signal that is raised while nobody waits ends the next wait. */
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
