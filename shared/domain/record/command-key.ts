import type { RecordEvent } from './record-event.ts';

/** Under which a command is found again: the user and the Idempotency-Key, since keys of two users never meet. */
export function commandKey(actorId: string, commandId: string): string {
  return `${actorId}/${commandId}`;
}

/** Of the command that made an event; null if it came without a key. */
export function commandKeyOf({ actorId, commandId }: RecordEvent): string | null {
  return commandId === null ? null : commandKey(actorId, commandId);
}
