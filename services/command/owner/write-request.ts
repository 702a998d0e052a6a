import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Conditions } from '../../../shared/domain/record/conditions.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { Submission } from '../writer/submission.ts';
import type { JsonObject } from './read-body.ts';

/** Returns the actor with current rights. Refuses users who are no longer active. */
export type ActorNow = (actor: Actor) => Actor;

/**
 * The identity of a command, by which a repeat is recognised (see CommandMemory), and the administrator who acts as its user.
 */
export type CommandIdentity = Pick<
  Submission,
  'commandId' | 'commandHash' | 'correlationId' | 'isRepeat' | 'administratorId'
>;

/** The identity of a command that is never repeated. */
export const unrepeated: CommandIdentity = {
  commandId: null,
  commandHash: null,
  correlationId: null,
  isRepeat: false,
};

/** A write as the owner received it. */
export interface WriteRequest<Body extends object = JsonObject> {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly body: Body;
  readonly conditions: Conditions;
  readonly identity: CommandIdentity;
  /** Milliseconds since 1970. After it the caller gets Unavailable. */
  readonly deadline: number;
  /** Throws if the rights of the actor changed since then. Called right before the decision. */
  readonly requireRights?: () => void;
}

export interface CreateRequest<Body extends object = JsonObject> extends WriteRequest<Body> {
  /** The partition of the new record, and its id if it is fixed. Absent: any partition that this instance owns. */
  readonly place?: { readonly partition: number; readonly id?: string };
  /** Values that Annals sets itself, beside those of the client. */
  readonly facts?: AttributeValues;
}

export type ExistingWriteRequest<Body extends object = JsonObject> = WriteRequest<Body> & {
  readonly id: string;
};

/** The result of a command, and its position in the log. */
export interface Executed {
  /** The record after the command. */
  readonly state: RecordState;
  readonly partition: number;
  /** Offset of the event; for a command without one, that of the record's last event if Postgres may lack it. */
  readonly offset: bigint | undefined;
  /** The command is a repeat; this is the outcome of the first one. */
  readonly isReplay: boolean;
  /** Attributes whose values changed. */
  readonly changed: readonly string[];
  /** Warnings for the client, as sentences, about a command that was accepted. */
  readonly warnings?: readonly string[];
}
