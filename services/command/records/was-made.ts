import type { Command } from '../forwarding/send-to-owner.ts';
import type { UntilCaughtUp } from '../forwarding/until-caught-up.ts';

export interface MadeDeps {
  readonly untilCaughtUp: UntilCaughtUp;
  /** Whether the read model has a command with this key. */
  readonly isDone: (actorId: string, commandId: string) => Promise<boolean>;
}

/** Whether an earlier attempt of the request has created the record. A repeat would find links that it made itself. */
export async function wasMade(
  { actor, commandId, deadline }: Command,
  { untilCaughtUp, isDone }: MadeDeps,
): Promise<boolean> {
  if (commandId === null) return false;
  await untilCaughtUp(deadline);
  return isDone(actor.id, commandId);
}
