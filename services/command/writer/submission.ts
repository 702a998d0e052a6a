import { Unavailable } from '../../../shared/domain/errors.ts';
import type { Decision } from '../../../shared/domain/record/decide.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { currentTrace } from '../../../shared/runtime/trace.ts';

/** A command on its way to a writer. */
export interface Submission {
  readonly entityType: string;
  readonly recordId: string;
  /** Of a record that cannot exist yet: nothing is read before deciding. */
  readonly isCreation: boolean;
  readonly actorId: string;
  /** The Idempotency-Key, and a hash of what was asked for under it. */
  readonly commandId: string | null;
  readonly commandHash: string | null;
  /** Names a command that may be given again because its answer got lost on the way between two instances. */
  readonly correlationId: string | null;
  /** It was given before, so it may be in the log already: only looked for if it has a key, or this is true. */
  readonly isRepeat: boolean;
  /** Milliseconds since 1970; past it the caller is told that the log is unavailable. */
  readonly deadline: number;
  /**
   * Pure: what the command makes of the record. Throws a Refusal, answers undefined when nothing would change. May be
   * called again when a batch did not get into the log.
   */
  readonly decide: (
    state: RecordState | undefined,
    writer: { readonly token: string },
  ) => Decision | undefined;
}

/** Only such a command is looked for among those that were carried out. */
export function mayBeRepeat({ commandId, isRepeat }: Submission): boolean {
  return commandId !== null || isRepeat;
}

/** The record after the command. */
export interface Written {
  readonly state: RecordState;
  /** Of the event; for a command that changed nothing that of the record's last event, if Postgres may lack it. */
  readonly offset: bigint | undefined;
  /** Absent when nothing changed. */
  readonly event?: RecordEvent;
  /** Attributes whose value the command changed. */
  readonly changed: readonly string[];
  /** The command had been carried out before: this is its first outcome. */
  readonly isReplay?: true;
}

interface Reply {
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
  readonly now: number;
}

/** Who submitted, until they are answered or their deadline passes. Answering twice changes nothing. */
export class Waiting {
  readonly submission: Submission;
  /** Of the request that submitted it, if one did. */
  readonly traceparent = currentTrace()?.traceparent;
  readonly #reply: Reply;
  readonly #timer: NodeJS.Timeout;
  /** Postgres did not know the command when it had everything below this offset. */
  unknownBelow: bigint | undefined;

  constructor(submission: Submission, reply: Reply) {
    this.submission = submission;
    this.#reply = reply;
    this.#timer = setTimeout(
      () => reply.reject(new Unavailable('the log did not take the change in time; it may yet')),
      Math.max(0, submission.deadline - reply.now),
    );
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
