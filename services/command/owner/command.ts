import { type Actor, buildActor } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Conditions } from '../../../shared/domain/record/conditions.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandIdentity } from '../writer/submission.ts';
import type { JsonObject } from './read-body.ts';

/** A user, and the entity type of the user's request. */
export interface Acting {
  readonly actor: Actor;
  readonly model: EntityModel;
}

/** A command that an instance sends to the owner of its record. */
export interface Command<Body extends object = JsonObject> extends Acting {
  /** Id of the record; undefined for a new record. */
  readonly id?: string;
  readonly body: Body;
  readonly conditions: Conditions;
  readonly commandId: string | null;
  readonly commandHash: string | null;
  /** Milliseconds since 1970. After the deadline the caller gets Unavailable. */
  readonly deadline: number;
  /** True: respond once reads see the event. False: respond once the log has the event. */
  readonly untilReadable: boolean;
  /**
   * True if the request is complete once reads see this write. If they do not see it in time, the error is
   * `write.unread`, which names the record, instead of a generic "unavailable".
   */
  readonly isWholeRequest?: boolean;
  /**
   * Set for steps in an action that is already decided, and for log-ins whose permissions are checked elsewhere: the
   * user's permissions are not read again (docs/adr/0028-check-permissions-until-the-work-ends.md).
   */
  readonly isDecided?: true;
  /** True if the log cannot contain the command yet, so it need not be looked up. Set only for commands with a key. */
  readonly isFirstAttempt?: boolean;
}

/** The partition that decides a command, and the id of its record. */
export interface Place {
  /** The name that the partition's owner claims, such as `records/0`. */
  readonly resource: string;
  readonly partition: number;
  readonly id: string;
}

/** The identity of a command that is never repeated. */
export const unrepeated: CommandIdentity = {
  commandId: null,
  commandHash: null,
  correlationId: null,
  isRepeat: false,
};

/** A command that its owner decides. */
export interface WriteRequest<Body extends object = JsonObject> extends Acting {
  /** Empty for a new record whose id is not fixed. */
  readonly id: string;
  readonly body: Body;
  readonly conditions: Conditions;
  readonly identity: CommandIdentity;
  /** Milliseconds since 1970. After the deadline the caller gets Unavailable. */
  readonly deadline: number;
  /**
   * The partition of a new record, and its id if it is fixed. If absent, the record goes to any partition that this
   * instance owns.
   */
  readonly place?: { readonly partition: number; readonly id?: string };
  /** Values that Annals sets itself, in addition to the client's values. */
  readonly facts?: AttributeValues;
  /** Throws if the actor's permissions have changed. Called immediately before the decision. */
  readonly requireRights?: () => void;
}

/** The result of a command, and its position in the log. */
export interface Executed {
  /** The record after the command. */
  readonly state: RecordState;
  readonly partition: number;
  /**
   * Offset of the event. For a command that caused no event: the offset of the record's last event, but only while
   * Postgres may lack it.
   */
  readonly offset: bigint | undefined;
  /** True if the command is a repeat. The result is then the first command's result. */
  readonly isReplay: boolean;
  /** Attributes whose values changed. */
  readonly changed: readonly string[];
  /** Warnings for the client about a command that was accepted, as sentences. */
  readonly warnings?: readonly string[];
}

/** The position of a write in the log. */
export interface WriteAnswer {
  /** The token that makes reads on any instance wait for this write. */
  readonly consistencyToken: string;
  /** True if the command is a repeat. The result is then the first command's result. */
  readonly isReplay: boolean;
}

export interface CommandAnswer extends WriteAnswer, Omit<Executed, 'partition' | 'offset'> {}

/** Default values for a command without a client. Such a command is complete once the log has it. */
export const internalCommandDefaults = {
  conditions: {},
  commandId: null,
  commandHash: null,
  untilReadable: false,
} as const;

/** The actor for changes that no user requested. */
export const systemActor = { id: 'system', name: 'System' } as const;

/** The actor of commands that the installation issues itself. */
export const systemAdministrator: Actor = buildActor(
  { ...systemActor, userName: 'system', type: 'admin', teamIds: [] },
  [],
);

/** Default values for a command that the installation issues. The caller adds the record, the body and the deadline. */
export const bySystem = { ...internalCommandDefaults, actor: systemAdministrator };
