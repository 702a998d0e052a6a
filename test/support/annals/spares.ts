import type { HostedAnnals } from './hosted-annals.ts';

type Env = Readonly<Record<string, string>>;

export interface Spares {
  /** Takes an unused instance. If `env` has settings, a new instance is started first. */
  take(env: Env): Promise<HostedAnnals>;
  /** Resolves when an instance is available. */
  filled(): Promise<void>;
}

/** Keeps started instances ready, because a start takes longer than a test should wait. */
export function createSpares(start: (env: Env) => Promise<HostedAnnals>, count: number): Spares {
  const kept: Promise<HostedAnnals>[] = [];
  let last: Promise<unknown> = Promise.resolve();

  /** Started one after the other, so that the next one is ready as early as possible. */
  function fill(): void {
    while (kept.length < count) {
      const next = last.then(async () => start({}));
      // Failures are reported to the test that takes the instance.
      last = next.catch(() => undefined);
      kept.push(next);
    }
  }

  fill();
  return {
    async take(env) {
      const spare = Object.keys(env).length === 0 ? kept.shift() : undefined;
      try {
        return await (spare ?? start(env));
      } finally {
        fill();
      }
    },
    async filled() {
      await kept[0];
    },
  };
}
