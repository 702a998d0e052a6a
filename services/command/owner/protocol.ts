import { Refusal, type RefusalKind } from '../../../shared/domain/errors.ts';
import type { Conditions } from '../../../shared/domain/record/conditions.ts';
import type { CommandIdentity } from '../writer/submission.ts';
import type { Executed } from './command.ts';
import { asJson, asObject, asText, type JsonObject } from './read-body.ts';

/** A command that an instance forwards to the owner of a partition, as JSON. */
export interface ForwardedCommand {
  readonly body: JsonObject;
  readonly conditions: Conditions;
  readonly identity: CommandIdentity;
  /** The name of the command's definition. */
  readonly action: string;
  readonly entityType: string;
  /** Id of the record. A new record also has an id, so that a repeated creation finds the first one. */
  readonly id: string;
  readonly partition: number;
  readonly actorId: string;
  /** If true, the owner reads the user's permissions again. Absent if the command follows from an earlier decision. */
  readonly isChecked?: true;
  readonly remainingMs: number;
  /**
   * The directory offset that the sender had read when it authenticated the user. The owner must have read up to this
   * offset, too.
   */
  readonly directoryOffset: string;
}

/** The owner's response, as JSON. */
export interface ExecutedNote extends Omit<Executed, 'offset' | 'changed'> {
  readonly offset: string | null;
  /** Absent in responses from version 0.1. */
  readonly changed?: Executed['changed'];
}

export function toNote({ offset, ...executed }: Executed): ExecutedNote {
  return { ...executed, offset: offset?.toString() ?? null };
}

export function fromNote({ offset, changed = [], ...executed }: ExecutedNote): Executed {
  return { ...executed, changed, offset: offset === null ? undefined : BigInt(offset) };
}

/** A refusal as JSON. JSON.stringify would drop an error's message. */
export interface SerializedRefusal {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const readSerializedRefusal = asObject<SerializedRefusal>({
  kind: asText,
  code: asText,
  message: asText,
  detail: asJson,
});

/** If a plan is rejected, instances of earlier versions send the command with the refusal as its body. */
export function throwRefusalIn({ refusal }: JsonObject): void {
  if (refusal !== undefined) throw toRefusal(readSerializedRefusal(refusal, 'refusal'));
}

export function serializeRefusal({ kind, code, message, detail }: Refusal): SerializedRefusal {
  return { kind, code, message, detail: { ...detail } };
}

export function toRefusal({ kind, code, message, detail }: SerializedRefusal): Refusal {
  return new Refusal(kind as RefusalKind, code, message, detail);
}
