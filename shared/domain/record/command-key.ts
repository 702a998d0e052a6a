import type { RecordEvent } from './record-event.ts';

/**
 * The key by which a command is found again: the user and the Idempotency-Key, so that keys of two users never clash.
 */
export function commandKey(actorId: string, commandId: string): string {
  return `${actorId}/${commandId}`;
}

/** The key of the command that made an event; null if it had no Idempotency-Key. */
export function commandKeyOf({ actorId, commandId }: RecordEvent): string | null {
  return commandId === null ? null : commandKey(actorId, commandId);
}
