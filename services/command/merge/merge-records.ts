import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { isMergeable } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { findUnknownCurrencies } from '../../../shared/domain/input/convert-amounts.ts';
import { ratesIn } from '../../../shared/domain/input/currency-rates.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { CommandContext } from '../context.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { serializeRefusal } from '../owner/protocol.ts';
import { editable } from '../records/input/read-values.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';
import { followMerge } from './follow-merge.ts';
import { mergeCommand } from './merge-commands.ts';
import { addedBy, mergeIdOf, mergePlanOf, type PlannedMerge } from './merge-plan.ts';

/** The sources of a merge, and the target with the client's values for it. */
export interface Merge {
  readonly command: Command & { readonly id: string };
  readonly sourceIds: readonly string[];
}

/**
 * Merges records of one type (docs/reference/actions.md#merging): checks everything, appends the decision as one event of
 * the target, then changes references to the sources and deletes the sources.
 */
export async function mergeRecords(merge: Merge, context: CommandContext): Promise<CommandAnswer> {
  const { command } = merge;
  const { model, id, deadline } = command;
  const planned = { ...command, plan: async () => planMerge(merge, context) };
  const decided = await context.sender.sendPlanned(mergeCommand, planned);
  const plan = mergePlanOf(decided.state);
  if (plan !== undefined) await followMerge({ model, targetId: id, plan }, deadline, context);
  return decided;
}

async function planMerge(
  { command, sourceIds }: Merge,
  context: CommandContext,
): Promise<PlannedMerge> {
  const { actor, model, id, body, deadline } = command;
  if (!isMergeable(model.definition)) {
    const message = `Action 'merge' is not allowed for ${model.name}.`;
    throw new Refusal('forbidden', 'merge.not_allowed', message);
  }
  requireScope(actor, model.name, 'edit');
  requireScope(actor, model.name, 'delete');
  await context.untilCaughtUp(deadline);
  const target = live(await context.readState(model, id), id);
  requireRecordAccess(actor, 'edit', { ...target, model });
  const sources = await Promise.all(
    sourceIds.map(async (source) => live(await context.readState(model, source), source)),
  );
  for (const source of sources) {
    // Required because the target will contain values from the sources.
    requireRecordAccess(actor, 'read', { ...source, model });
    requireRecordAccess(actor, 'edit', { ...source, model });
    requireRecordAccess(actor, 'delete', { ...source, model });
  }
  // The target stores only its latest merge.
  await finishMergeInto(target, command, context);
  const { values, problems } = readInput(model, editable(actor, model, body), 'update');
  const unknown = findUnknownCurrencies(model, values, ratesIn(context.directory));
  refuseProblems(model, [...problems, ...unknown]);
  const links = await context.resolveLinks({ model, values, actor });
  const unreadable = links.unreadable.map(({ refusal, ...link }) => ({
    ...link,
    refusal: serializeRefusal(refusal),
  }));
  const seen = Object.fromEntries(sources.map((source) => [source.id, mergeIdOf(source)]));
  return {
    plan: { id: context.newId(), actorId: actor.id, sourceIds, seen },
    update: { values, links: { ...links, unreadable } },
    sources: sources.map((source) => addedBy(model, source)),
    previous: mergeIdOf(target),
  };
}

/** Completes the latest merge into the target unless all of its sources are deleted. A crash may have interrupted it. */
export async function finishMergeInto(
  target: RecordState,
  { model, deadline }: Command,
  context: CommandContext,
): Promise<void> {
  const plan = mergePlanOf(target);
  if (plan === undefined) return;
  const states = await Promise.all(
    plan.sourceIds.map(async (source) => context.readState(model, source)),
  );
  const isDone = states.every((state) => state === undefined || state.deleted);
  if (!isDone) await followMerge({ model, targetId: target.id, plan }, deadline, context);
}
