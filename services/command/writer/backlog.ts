/**
 * Counts the bytes of events that the projector has not yet passed. The records of these events stay in memory until
 * then. Above the limit the writer rejects commands, so that memory does not fill up while the projector is down.
 */
export class Backlog {
  readonly #projected: () => bigint;
  readonly #maxBytes: number;
  #appends: { readonly end: bigint; readonly bytes: number }[] = [];
  #bytes = 0;

  constructor(deps: { readonly projected: () => bigint; readonly maxBytes: number }) {
    this.#projected = deps.projected;
    this.#maxBytes = deps.maxBytes;
  }

  /** `end` is the offset after the append. */
  add(end: bigint, bytes: number): void {
    this.#appends.push({ end, bytes });
    this.#bytes += bytes;
  }

  isFull(): boolean {
    return this.#bytes > this.#maxBytes && this.bytes() > this.#maxBytes;
  }

  bytes(): number {
    const projected = this.#projected();
    const passed = this.#appends.findIndex(({ end }) => end > projected);
    const done = this.#appends.splice(0, passed === -1 ? this.#appends.length : passed);
    for (const { bytes } of done) this.#bytes -= bytes;
    return this.#bytes;
  }
}
