/**
 * The new records of one partition, until Postgres has them. Few are changed at once, and thousands come in a second:
 * kept for longer, they would all be moved among what lives long, which stops the process for 10 ms at a time.
 *
 * They go together, by changing maps. A map that is emptied one by one gets new tables inside, to which V8 keeps
 * referring from the old ones: the first that lives long keeps all that come later.
 */
export class NewRecords<Entry> {
  readonly #projected: () => bigint;
  #former = new Map<string, Entry>();
  #current = new Map<string, Entry>();
  /** The last offsets in each; what is on its way has none yet. */
  #formerEnd = -1n;
  #currentEnd = -1n;
  /** Nothing is on its way. */
  #isIdle = true;

  constructor(projected: () => bigint) {
    this.#projected = projected;
  }

  get size(): number {
    return this.#former.size + this.#current.size;
  }

  has(key: string): boolean {
    return this.#current.has(key) || this.#former.has(key);
  }

  get(key: string): Entry | undefined {
    return this.#current.get(key) ?? this.#former.get(key);
  }

  /** Its event is on its way to the log. */
  expect(key: string, entry: Entry): void {
    if (this.#isIdle && this.#formerEnd < this.#projected()) this.#turn();
    this.#isIdle = false;
    this.#current.set(key, entry);
  }

  /** Its event now stands at this offset. */
  confirm(key: string, entry: Entry, offset: bigint): void {
    this.#isIdle = true;
    this.#currentEnd = offset;
    this.#current.set(key, entry);
  }

  delete(key: string): void {
    this.#current.delete(key);
    this.#former.delete(key);
  }

  clear(): void {
    this.#former = new Map();
    this.#current = new Map();
    this.#formerEnd = -1n;
    this.#currentEnd = -1n;
    this.#isIdle = true;
  }

  *values(): Iterable<Entry> {
    yield* this.#former.values();
    yield* this.#current.values();
  }

  #turn(): void {
    this.#former = this.#current;
    this.#formerEnd = this.#currentEnd;
    this.#current = new Map();
  }
}
