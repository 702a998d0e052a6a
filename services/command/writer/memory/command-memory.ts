import { commandKey } from '../../../../shared/domain/record/command-key.ts';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';

/**
 * Returns the identity of a command, for detecting repeats: its key if it has one, otherwise its request. Undefined for
 * commands that are never repeated.
 */
export function identityOf(command: {
  readonly actorId: string;
  readonly commandId: string | null;
  readonly correlationId: string | null;
}): string | undefined {
  const { actorId, commandId, correlationId } = command;
  if (commandId !== null) return `key ${commandKey(actorId, commandId)}`;
  return correlationId === null ? undefined : `request ${correlationId}`;
}

/** A completed command: the hash of its request, and the record after the command. */
export interface FoundCommand {
  readonly hash: string | null;
  readonly state: RecordState;
  /** Attributes whose values changed. */
  readonly changed: readonly string[];
}

export interface KnownCommand extends Omit<FoundCommand, 'state'> {
  /** Undefined for a command from another instance. */
  readonly state: RecordState | undefined;
  /** Offset of the event; undefined until the log has it. */
  readonly offset: bigint | undefined;
}

/**
 * The commands of one partition that Postgres may not have yet, for detecting repeats. Together with Postgres, this
 * memory is complete: an entry is dropped only after the projector has passed it. If Postgres was queried before that,
 * `covers` returns false, and Postgres has to be queried again.
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

  /** Removes a command that was not carried out. */
  withdraw(identity: string): void {
    this.#entries.delete(identity);
  }

  /** Clears the memory. Postgres has all commands below this offset. */
  startAt(offset: bigint): void {
    this.#entries.clear();
    this.#forgottenBelow = offset;
  }

  /** Returns true if Postgres, complete up to this offset, and this memory cover the log without a gap. */
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
