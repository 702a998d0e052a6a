type Dependency = 'kafka' | 'postgres';
/** The tables, which may have to be rebuilt first. */
type Part = Dependency | 'readModel';

/**
 * A fetch from an idle log takes half a second; a large batch is stored within two or three seconds, and tables are altered
 * in less.
 */
const HANGS_AFTER_MS: Readonly<Record<Part, number>> = {
  kafka: 3_000,
  postgres: 10_000,
  readModel: 3_000,
};

/** Keeps track of the dependency that the projector waits for or that failed, so that readiness can name it. */
export class PartsWatch {
  #used: { readonly part: Part; readonly since: number } | undefined;
  #failed: Dependency | undefined;
  #hasSucceeded = false;

  /** The projector begins to wait for this part. */
  use(part: Part): void {
    this.#used = { part, since: Date.now() };
  }

  /** Everything that was asked of the parts has succeeded. */
  succeed(): void {
    this.#failed = undefined;
    this.#hasSucceeded = true;
  }

  /** There is nothing to do, so nothing can be missing. */
  standBy(): void {
    this.#used = undefined;
    this.succeed();
  }

  /** A part has failed, by default the one that was waited for. Tables fail with Postgres. */
  fail(part: Part = this.#used?.part ?? 'kafka'): Dependency {
    this.#failed = part === 'readModel' ? 'postgres' : part;
    return this.#failed;
  }

  checks(now: number): Readonly<Record<Part, boolean>> {
    return {
      kafka: this.#holds('kafka', now),
      postgres: this.#holds('postgres', now),
      readModel: this.#holds('readModel', now),
    };
  }

  #holds(part: Part, now: number): boolean {
    const used = this.#used;
    const hangs = used?.part === part && now - used.since > HANGS_AFTER_MS[part];
    // Tables are looked at when both dependencies have answered.
    const hasAnswered = this.#hasSucceeded || (used?.part === 'readModel' && part !== 'readModel');
    return hasAnswered && this.#failed !== part && !hangs;
  }
}
