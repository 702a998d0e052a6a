type Dependency = 'kafka' | 'postgres';
/** `readModel`: the tables, which may have to be rebuilt first. */
type Part = Dependency | 'readModel';

/**
 * A fetch from an idle log takes half a second, storing a large batch takes two or three seconds, and altering tables
 * takes less.
 */
const HANGS_AFTER_MS: Readonly<Record<Part, number>> = {
  kafka: 3_000,
  postgres: 10_000,
  readModel: 3_000,
};

/** Tracks which dependency failed or keeps the projector waiting, so that readiness can name it. */
export class PartsWatch {
  #used: { readonly part: Part; readonly since: number } | undefined;
  #failed: Dependency | undefined;
  #hasSucceeded = false;

  /** Called when the projector begins to wait for this part. */
  use(part: Part): void {
    this.#used = { part, since: Date.now() };
  }

  /** Called when all requests to the parts have succeeded. */
  succeed(): void {
    this.#failed = undefined;
    this.#hasSucceeded = true;
  }

  /** Called when no partitions are assigned to the projector. It then needs no dependency, so all checks are true. */
  idle(): void {
    this.#used = undefined;
    this.succeed();
  }

  /**
   * Called when a part has failed, by default the part in use. A failure of the tables counts as a failure of Postgres.
   */
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
    // The projector does not use the tables before both dependencies have responded.
    const hasResponded = this.#hasSucceeded || (used?.part === 'readModel' && part !== 'readModel');
    return hasResponded && this.#failed !== part && !hangs;
  }
}
