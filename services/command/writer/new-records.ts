import type { RecordState } from '../../../shared/domain/record/record-state.ts';

/** Of a record that its first event made; `offset` is undefined while that event is on its way to the log. */
export interface NewRecord {
  readonly kind: 'new';
  readonly state: RecordState;
  readonly offset: bigint | undefined;
}

/**
 * The new records of one partition, until Postgres has them. Few are changed at once, and thousands come in a second:
 * kept for longer, they would all be moved among what lives long, which stops the process for 10 ms at a time.
 *
 * They go together, by changing maps. A map that is emptied one by one gets new tables inside, to which V8 keeps
 * referring from the old ones: the first that lives long keeps all that come later.
 */
export class NewRecords {
  readonly #projected: () => bigint;
  #former = new Map<string, NewRecord>();
  #current = new Map<string, NewRecord>();
  /** The last offsets in each; what is on its way has none yet. */
  #formerEnd = -1n;
  #currentEnd = -1n;
  /** Nothing is on its way. */
  #isSettled = true;

  constructor(projected: () => bigint) {
    this.#projected = projected;
  }

  get size(): number {
    return this.#former.size + this.#current.size;
  }

  get(key: string): NewRecord | undefined {
    return this.#current.get(key) ?? this.#former.get(key);
  }

  expect(key: string, state: RecordState): void {
    if (this.#isSettled && this.#formerEnd < this.#projected()) this.#turn();
    this.#isSettled = false;
    this.#current.set(key, { kind: 'new', state, offset: undefined });
  }

  confirm(key: string, state: RecordState, offset: bigint): void {
    this.#isSettled = true;
    this.#currentEnd = offset;
    this.#current.set(key, { kind: 'new', state, offset });
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
    this.#isSettled = true;
  }

  *values(): Iterable<NewRecord> {
    yield* this.#former.values();
    yield* this.#current.values();
  }

  #turn(): void {
    this.#former = this.#current;
    this.#formerEnd = this.#currentEnd;
    this.#current = new Map();
  }
}
