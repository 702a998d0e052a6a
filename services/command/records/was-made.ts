import type { Command } from '../forwarding/send-to-owner.ts';
import type { UntilCaughtUp } from '../forwarding/until-caught-up.ts';

export interface MadeDeps {
  readonly untilCaughtUp: UntilCaughtUp;
  /** Whether the read model knows a command of this key. */
  readonly isDone: (actorId: string, commandId: string) => Promise<boolean>;
}

/** A request that comes again finds linked what it linked itself. */
export async function wasMade(
  { actor, commandId, deadline }: Command,
  { untilCaughtUp, isDone }: MadeDeps,
): Promise<boolean> {
  if (commandId === null) return false;
  await untilCaughtUp(deadline);
  return isDone(actor.id, commandId);
}
