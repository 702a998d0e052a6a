/** Wakes a waiting loop. A signal that is raised while nobody waits ends the next wait. */
export interface Signal {
  raise(): void;
  raised(): Promise<void>;
}

export function createSignal(): Signal {
  let isRaised = false;
  let wake: (() => void) | undefined;
  return {
    raise() {
      isRaised = true;
      wake?.();
    },
    async raised() {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isRaised = false;
      wake = undefined;
    },
  };
}
