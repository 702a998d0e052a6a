import type { CommandDefinition } from './define-command.ts';
import type { Executed, WriteRequest } from './write-request.ts';

/** A command that one instance forwards to the owner of a partition, as JSON. */
export interface ForwardedCommand extends Pick<WriteRequest, 'body' | 'conditions' | 'identity'> {
  /** The name of its definition. */
  readonly action: string;
  readonly entityType: string;
  /**
   * Id of the record. A new record has one too, so that a repeated creation finds the first. Empty if there is none.
   */
  readonly id: string;
  readonly partition: number;
  readonly actorId: string;
  /** The rights of the user are read again for the decision. Absent if the command follows from an earlier decision. */
  readonly isChecked?: true;
  readonly remainingMs: number;
  /** Offset in the directory that the sender had read when it authenticated the user. The owner has to read as far. */
  readonly directoryOffset: string;
}

/** A forwarded command with a known definition and its body type. */
export type CommandOf<Known extends CommandDefinition> =
  Known extends CommandDefinition<infer Name, infer Body>
    ? Omit<ForwardedCommand, 'action' | 'body'> & { readonly action: Name; readonly body: Body }
    : never;

/** The owner's answer, as JSON. */
export interface ExecutedNote extends Omit<Executed, 'offset' | 'changed'> {
  readonly offset: string | null;
  /** Absent in answers of 0.1. */
  readonly changed?: Executed['changed'];
}

export function toNote({ offset, ...executed }: Executed): ExecutedNote {
  return { ...executed, offset: offset?.toString() ?? null };
}

export function fromNote({ offset, changed = [], ...executed }: ExecutedNote): Executed {
  return { ...executed, changed, offset: offset === null ? undefined : BigInt(offset) };
}
