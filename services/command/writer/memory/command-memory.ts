import { commandKey } from '../../../../shared/domain/record/command-key.ts';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';

/** What tells a command that comes again from another one: its user's key, or else the request it belongs to. */
interface CommandNames {
  readonly actorId: string;
  readonly commandId: string | null;
  readonly correlationId: string | null;
}

/** Undefined for a command that nobody will ever repeat. */
export function identityOf(names: CommandNames): string | undefined {
  if (names.commandId !== null) return `key ${commandKey(names.actorId, names.commandId)}`;
  return names.correlationId === null ? undefined : `request ${names.correlationId}`;
}

export interface KnownCommand {
  readonly hash: string | null;
  /** The record after it; unknown of a command that another instance wrote. */
  readonly state: RecordState | undefined;
  /** Attributes whose value it changed. */
  readonly changed: readonly string[];
  /** Undefined while the event is on its way to the log. */
  readonly offset: bigint | undefined;
}

/**
 * The commands of one partition that Postgres may not know yet, so that a repeated one is recognised. Together with
 * Postgres it is complete: an entry goes only after the projector has passed it, and whoever asked Postgres before
 * that learns from `covers` to ask again.
 */
export class CommandMemory {
  readonly #projected: () => bigint;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, KnownCommand>();
  #forgottenBelow = 0n;

  constructor(deps: { readonly projected: () => bigint; readonly maxEntries: number }) {
    this.#projected = deps.projected;
    this.#maxEntries = deps.maxEntries;
  }

  peek(identity: string): KnownCommand | undefined {
    return this.#entries.get(identity);
  }

  put(identity: string, command: KnownCommand): void {
    this.#entries.set(identity, command);
    if (this.#entries.size > this.#maxEntries) this.#evict();
  }

  confirm(identity: string, offset: bigint): void {
    const known = this.#entries.get(identity);
    if (known !== undefined) this.#entries.set(identity, { ...known, offset });
  }

  /** The command never happened. */
  withdraw(identity: string): void {
    this.#entries.delete(identity);
  }

  /** Knowledge begins anew: what lies below this offset is in Postgres. */
  startAt(offset: bigint): void {
    this.#entries.clear();
    this.#forgottenBelow = offset;
  }

  /** Whether Postgres, having had everything below this offset, and this memory leave no gap between them. */
  covers(offset: bigint): boolean {
    return offset >= this.#forgottenBelow;
  }

  #evict(): void {
    const projected = this.#projected();
    for (const [identity, { offset }] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries) return;
      if (offset === undefined || offset >= projected) return;
      this.#entries.delete(identity);
      if (offset >= this.#forgottenBelow) this.#forgottenBelow = offset + 1n;
    }
  }
}
