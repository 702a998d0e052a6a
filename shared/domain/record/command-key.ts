import type { RecordEvent } from './record-event.ts';

/** Returns the deduplication key of a command. It includes the user, so keys of different users never collide. */
export function commandKey(actorId: string, commandId: string): string {
  return `${actorId}/${commandId}`;
}

/** Returns the deduplication key of an event's command; null if the command had no Idempotency-Key. */
export function commandKeyOf({ actorId, commandId }: RecordEvent): string | null {
  return commandId === null ? null : commandKey(actorId, commandId);
}
