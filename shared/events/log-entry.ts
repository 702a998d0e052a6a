import type { RecordEvent } from '../domain/record/record-event.ts';

/** Hands a partition to a writer; see fold.ts for when it counts. */
export interface Fence {
  readonly token: string;
  readonly prevToken: string | null;
  readonly owner: string;
  readonly address: string;
  readonly occurredAt: number;
}

/**
 * A record event as it stands in the log, with the token of its writer and the number of the event in that writer's
 * sequence.
 */
export interface LoggedEvent extends RecordEvent {
  readonly token: string;
  readonly sequence: number;
}

export type LogEntry =
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'event'; readonly event: LoggedEvent };
