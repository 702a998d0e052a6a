import type { Conditions } from '../../../shared/domain/record/conditions.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { LoginAction } from '../commands/login-commands.ts';
import type { CommandIdentity, Executed } from '../commands/write-request.ts';

/** A command on its way from the instance that a client asked to the owner of a partition, as JSON. */
export interface ForwardedCommand {
  readonly action: CommandAction;
  readonly entityType: string;
  /** Of the record; of a new one too, so that a repeated creation finds the first. Empty where there is none. */
  readonly id: string;
  readonly partition: number;
  readonly actorId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly conditions: Conditions;
  readonly identity: CommandIdentity;
  readonly remainingMs: number;
  /** Up to here the sender knew the directory when it authenticated the user: the owner must not know less. */
  readonly directoryOffset: string;
}

export type CommandAction =
  | 'create'
  | 'upload'
  | 'update'
  | 'remove'
  | 'restore'
  | 'link'
  | 'unlink'
  | 'convert'
  | 'convert-link'
  | 'convert-end'
  | 'convert-currency'
  | 'set-rates'
  | 'mark'
  | 'pin'
  | 'mass-action'
  | 'merge'
  | 'relink'
  | 'merge-away'
  | 'merge-end'
  | 'define'
  | 'run-queue'
  | 'rotate-secret'
  | 'switch-off'
  | 'start-replay'
  | 'cancel-replay'
  | 'resume-replay'
  | LoginAction;

/** The owner's answer, as JSON. */
export interface ExecutedNote {
  readonly state: RecordState;
  readonly partition: number;
  readonly offset: string | null;
  readonly isReplay: boolean;
  /** Absent in answers of 0.1. */
  readonly changed?: readonly string[];
}

export function toNote({ offset, ...executed }: Executed): ExecutedNote {
  return { ...executed, offset: offset?.toString() ?? null };
}

export function fromNote({ offset, changed = [], ...executed }: ExecutedNote): Executed {
  return { ...executed, changed, offset: offset === null ? undefined : BigInt(offset) };
}

/** What a refusal is made of. */
export interface RefusalNote {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
