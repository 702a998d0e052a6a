/**
 * The new records of one partition, until Postgres has them. Few of them change soon, and thousands are created per
 * second. If they were kept longer, V8 would promote all of them to the old generation, with pauses of 10 ms.
 *
 * They are dropped together, by replacing whole maps. If entries were deleted one by one, V8 would allocate new tables
 * and keep references to them in the old ones, so a single promoted table would keep all later ones alive.
 */
export class NewRecords<Entry> {
  readonly #projected: () => bigint;
  #former = new Map<string, Entry>();
  #current = new Map<string, Entry>();
  /** The last offset in each map. Events on their way to the log have no offset yet. */
  #formerEnd = -1n;
  #currentEnd = -1n;
  /** True if no event is on its way to the log. */
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

  /** Adds a record whose event is on its way to the log. */
  expect(key: string, entry: Entry): void {
    if (this.#isIdle && this.#formerEnd < this.#projected()) this.#turn();
    this.#isIdle = false;
    this.#current.set(key, entry);
  }

  /** Sets the offset of the record's event. */
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
