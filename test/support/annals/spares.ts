import type { HostedAnnals } from './hosted-annals.ts';

type Env = Readonly<Record<string, string>>;

export interface Spares {
  /** One that nobody has used. With settings of its own it has to be started first. */
  take(env: Env): Promise<HostedAnnals>;
  /** Resolves when there is one to take. */
  filled(): Promise<void>;
}

/** Keeps some that are started already, since a start takes longer than a test wants to wait. */
export function createSpares(start: (env: Env) => Promise<HostedAnnals>, count: number): Spares {
  const kept: Promise<HostedAnnals>[] = [];
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other, so that the next one to be taken is ready as soon as it can be. */
  function fill(): void {
    while (kept.length < count) {
      const next = last.then(async () => start({}));
      // Whoever takes it hears of a failure.
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
