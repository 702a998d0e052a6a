import { Unavailable } from '../../../shared/domain/errors.ts';
import type { Decision } from '../../../shared/domain/record/decide.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { currentTrace } from '../../../shared/runtime/trace.ts';

/**
 * Decides on the record's state. A pure function: `now` is the time of the event. Throws a Refusal, or returns
 * undefined if nothing changes. It is called again if the batch did not reach the log.
 */
export type Decide = (
  state: RecordState | undefined,
  writer: { readonly token: string; readonly now: number },
) => Decision | undefined;

/** How a command decides about one record. */
export interface RecordDecision {
  /** True if the record is new: nothing needs to be read before the decision. */
  readonly isCreation?: boolean;
  /** True if the command may change a quarantined record. All other commands for such a record are rejected. */
  readonly isOfQuarantine?: boolean;
  readonly decide: Decide;
}

/** The identity of a command, which identifies repeats (see CommandMemory), and the administrator who acts as its user. */
export interface CommandIdentity {
  /** The Idempotency-Key, and the hash of its request. */
  readonly commandId: string | null;
  readonly commandHash: string | null;
  /** Identifies a command that may be sent again because a response between two instances was lost. */
  readonly correlationId: string | null;
  /** True if the command is a repeat and may be in the log. Only repeats and commands with a key are looked up. */
  readonly isRepeat: boolean;
  /** True if the log cannot contain the command yet, even though the command has a key. */
  readonly isFirstAttempt?: boolean;
  /** The administrator who acts as this user. */
  readonly administratorId?: string;
}

/** A command that is submitted to a writer. */
export interface Submission extends CommandIdentity, RecordDecision {
  readonly entityType: string;
  readonly recordId: string;
  /** Throws if the actor's permissions have changed. Called immediately before the decision. */
  readonly requireRights?: (() => void) | undefined;
  readonly actorId: string;
  /** Milliseconds since 1970. After the deadline the caller gets Unavailable. */
  readonly deadline: number;
}

/** Returns true if the command may be a repeat and has to be looked up among earlier commands. */
export function mayBeRepeat({ commandId, isRepeat, isFirstAttempt }: CommandIdentity): boolean {
  return isRepeat || (commandId !== null && isFirstAttempt !== true);
}

/** The record after the command. */
export interface Written {
  readonly state: RecordState;
  /**
   * Offset of the event. For a command that had no effect: the offset of the record's last event, but only while
   * Postgres may lack it.
   */
  readonly offset: bigint | undefined;
  /** The event; absent if nothing changed. */
  readonly event?: RecordEvent;
  /** Attributes whose values changed. */
  readonly changed: readonly string[];
  /** True if the command is a repeat. The result is then the first command's result. */
  readonly isReplay?: true;
}

/** A submitted command that waits for its outcome or deadline. Only the first outcome counts. */
export class Waiting {
  readonly submission: Submission;
  /** Trace of the submitting request, if there is one. */
  readonly traceparent = currentTrace()?.traceparent;
  readonly #reply = Promise.withResolvers<Written>();
  readonly #timer: NodeJS.Timeout;
  /** The command was not in Postgres when Postgres was complete up to this offset. */
  unknownBelow: bigint | undefined;

  constructor(submission: Submission, now: number) {
    this.submission = submission;
    const late = 'the log did not accept the change in time; it may still do so';
    this.#timer = setTimeout(
      () => this.#reply.reject(new Unavailable(late)),
      Math.max(0, submission.deadline - now),
    );
  }

  get answer(): Promise<Written> {
    return this.#reply.promise;
  }

  resolve(written: Written): void {
    clearTimeout(this.#timer);
    this.#reply.resolve(written);
  }

  readonly reject = (error: unknown): void => {
    clearTimeout(this.#timer);
    this.#reply.reject(error);
  };
}
