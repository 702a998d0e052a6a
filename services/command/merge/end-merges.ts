import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Command } from '../forwarding/send-to-owner.ts';
import { type DecidedMerge, type FollowDeps, followMerge } from './follow-merge.ts';
import { endMergeCommand } from './merge-commands.ts';

interface EndMergesDeps extends FollowDeps {
  /** Merges that took a record away and that may still be looked after, with their targets. */
  readonly findMergesOf: (
    model: EntityModel,
    sourceId: string,
  ) => Promise<readonly { readonly id: string; readonly plan: DecidedMerge['plan'] }[]>;
}

/** Does what is left of the merges that took a record away, and ends them, before the record comes back. */
export async function endMergesOf(
  { actor, model, id, deadline }: Command & { readonly id: string },
  deps: EndMergesDeps,
): Promise<void> {
  await deps.untilCaughtUp(deadline);
  const state = await deps.readState(model, id);
  if (state?.deleted !== true) return;
  for (const { id: targetId, plan } of await deps.findMergesOf(model, id)) {
    await followMerge({ model, targetId, plan }, deadline, deps);
    const command = { actor, model, deadline, commandId: null, commandHash: null, conditions: {} };
    await deps.sendToOwner(endMergeCommand, {
      ...command,
      id: targetId,
      body: plan,
      untilReadable: true,
    });
  }
}
