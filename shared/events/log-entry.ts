import type { RecordEvent } from '../domain/record/record-event.ts';

/** Hands a partition over to a writer; see fold.ts for when a fence counts. */
export interface Fence {
  readonly token: string;
  readonly prevToken: string | null;
  readonly owner: string;
  readonly address: string;
  readonly occurredAt: number;
}

/** A record event as stored in the log, with its writer's token and its number in that writer's sequence. */
export interface LoggedEvent extends RecordEvent {
  readonly token: string;
  readonly sequence: number;
}

export type LogEntry =
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'event'; readonly event: LoggedEvent };
