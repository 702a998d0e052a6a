import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Conditions } from '../../../shared/domain/record/conditions.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { JsonObject } from './read-body.ts';

/** What tells a command that comes again from another one; see CommandMemory. */
export interface CommandIdentity {
  /** The Idempotency-Key, and a hash of what was asked for under it. */
  readonly commandId: string | null;
  readonly commandHash: string | null;
  readonly correlationId: string | null;
  readonly isRepeat: boolean;
}

/** Of a command that nobody repeats. */
export const unrepeated: CommandIdentity = {
  commandId: null,
  commandHash: null,
  correlationId: null,
  isRepeat: false,
};

/** One write as it came in. */
export interface WriteRequest<Body extends object = JsonObject> {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly body: Body;
  readonly conditions: Conditions;
  readonly identity: CommandIdentity;
  /** Milliseconds since 1970; past it the caller is told that the log is unavailable. */
  readonly deadline: number;
}

export interface CreateRequest<Body extends object = JsonObject> extends WriteRequest<Body> {
  /** Where the record has to live, and its id if that is known too; absent: wherever this instance is the owner. */
  readonly place?: { readonly partition: number; readonly id?: string };
  /** Values that Annals itself knows, beside those that the client may give. */
  readonly facts?: AttributeValues;
}

export type ExistingWriteRequest<Body extends object = JsonObject> = WriteRequest<Body> & {
  readonly id: string;
};

/** What came of a command, and where in the log it stands. */
export interface Executed {
  /** The record right after it. */
  readonly state: RecordState;
  readonly partition: number;
  /** Of the event, or of the record's last one if that is not in Postgres for certain. */
  readonly offset: bigint | undefined;
  /** The command had been carried out before; this is its first outcome. */
  readonly isReplay: boolean;
  /** Attributes whose value it changed. */
  readonly changed: readonly string[];
  /** Sentences for the client about what was taken all the same. */
  readonly warnings?: readonly string[];
}
