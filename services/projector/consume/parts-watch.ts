type Part = 'kafka' | 'postgres';

/** A fetch takes half a second where there is nothing; a large batch is stored within two or three. */
const HANGS_AFTER_MS: Readonly<Record<Part, number>> = { kafka: 3_000, postgres: 10_000 };

/** What the projector waits for, and what has failed it: so that it can say which part is missing. */
export class PartsWatch {
  #used: { readonly part: Part; readonly since: number } | undefined;
  #failed: Part | undefined;
  #hasSucceeded = false;

  /** From now on this part is waited for. */
  use(part: Part): void {
    this.#used = { part, since: Date.now() };
  }

  /** All parts did what they were asked for. */
  succeed(): void {
    this.#failed = undefined;
    this.#hasSucceeded = true;
  }

  /** There is nothing to do, so nothing is missing. */
  standBy(): void {
    this.#used = undefined;
    this.succeed();
  }

  /** What was waited for has failed. */
  fail(): Part {
    this.#failed = this.#used?.part ?? 'kafka';
    return this.#failed;
  }

  checks(now: number): Readonly<Record<Part, boolean>> {
    return { kafka: this.#holds('kafka', now), postgres: this.#holds('postgres', now) };
  }

  #holds(part: Part, now: number): boolean {
    const used = this.#used;
    const hangs = used?.part === part && now - used.since > HANGS_AFTER_MS[part];
    return this.#hasSucceeded && this.#failed !== part && !hangs;
  }
}
