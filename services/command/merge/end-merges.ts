import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Command } from '../forwarding/send-to-owner.ts';
import { type DecidedMerge, type FollowDeps, followMerge } from './follow-merge.ts';
import { endMergeCommand } from './merge-commands.ts';

interface EndMergesDeps extends FollowDeps {
  /** Finds merges that deleted a record and may not be complete, with their targets. */
  readonly findMergesOf: (
    model: EntityModel,
    sourceId: string,
  ) => Promise<readonly { readonly id: string; readonly plan: DecidedMerge['plan'] }[]>;
}

/** Completes and ends the merges that deleted a record, before the record is restored. */
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
