import { counted } from '../../../shared/domain/counted.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { decideDelete, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../shared/domain/record/followed-rules.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import type { CommandContext } from '../context.ts';
import type { WriteRequest } from '../owner/command.ts';
import { toRefusal } from '../owner/protocol.ts';
import { siblingsIn } from '../records/input/decide-change.ts';
import { deriveUpdate } from '../records/input/derive-update.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';
import type { ResolvedLinks } from '../records/input/resolve-links.ts';
import type { Submission } from '../writer/submission.ts';
import {
  type MergePlan,
  mergeIdOf,
  overfullGroups,
  type PlannedMerge,
  unite,
} from './merge-plan.ts';
import { withoutLinksTo } from './relink-record.ts';

/** Decides a merge, in the target record. */
export function decideMerge(
  {
    actor,
    model,
    id,
    conditions,
    body: { plan, update, sources, previous },
  }: WriteRequest<PlannedMerge>,
  context: CommandContext,
): Submission['decide'] {
  const { now } = context;
  return (state) => {
    const current = live(state, id);
    if (mergeIdOf(current) !== previous) throw mergeUnderWay();
    const links = linksOf(update);
    const input = { actor, model, conditions, problems: [], values: update.values, links };
    const { values } = current;
    const completed = {
      ...withoutLinksTo(plan.sourceIds, { model, values }),
      ...deriveUpdate(current, input, context),
    };
    const gone = [current.id, ...plan.sourceIds];
    const after = unite(model, { current: values, after: completed, sources, gone });
    refuseProblems(
      model,
      overfullGroups(model, after).map(({ field, maxCount }) => ({
        field,
        type: 'maxCount',
        message: `${field} must have at most ${counted(maxCount, 'entry')}`,
      })),
    );
    const written = withFollowedRules(model, { current: values, after, now: now() });
    const decided = { mergePlan: JSON.stringify(plan), mergePlannedAt: formatDateTime(now()) };
    return decideUpdate(current, { ...written, ...decided }, siblingsIn(model));
  };
}

/** Deletes a source of a merge, unless other records were merged into it after the merge was planned. */
export function decideMergeAway(request: WriteRequest<MergePlan>): Submission['decide'] {
  const { id, body } = request;
  return (state) => {
    const current = live(state, id);
    if (mergeIdOf(current) !== (body.seen[id] ?? null)) throw mergeUnderWay();
    return decideDelete(current);
  };
}

/** Ends a merge, although not all of its sources are deleted. */
export function decideMergeEnd(request: WriteRequest<MergePlan>): Submission['decide'] {
  const { id, body: plan } = request;
  return (state) => {
    const current = live(state, id);
    if (mergeIdOf(current) !== plan.id) return undefined;
    const ended: MergePlan = { ...plan, sourceIds: [], seen: {} };
    return decideUpdate(current, { mergePlan: JSON.stringify(ended), mergePlannedAt: null });
  };
}

/** Returns the links of an update that were resolved before the command was sent. */
function linksOf({ links }: PlannedMerge['update']): ResolvedLinks {
  const unreadable = links.unreadable.map(({ refusal, ...link }) => ({
    ...link,
    refusal: toRefusal(refusal),
  }));
  return { ...links, unreadable };
}

function mergeUnderWay(): Refusal {
  return new Refusal(
    'conflict',
    'merge.under_way',
    'Another merge of one of these records is in progress.',
  );
}
