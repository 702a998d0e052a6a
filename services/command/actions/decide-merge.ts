import { Refusal } from '../../../shared/domain/errors.ts';
import { formatDateTime } from '../../../shared/domain/record/date-time.ts';
import { decideDelete, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../shared/domain/record/followed-rules.ts';
import { refuse } from '../commands/refuse.ts';
import { type SettleDeps, settleUpdate } from '../commands/settle-update.ts';
import { siblingsIn } from '../commands/siblings-in.ts';
import type { ExistingWriteRequest } from '../commands/write-request.ts';
import type { Submission } from '../writer/submission.ts';
import { toRefusal } from './mass-action.ts';
import {
  type MergePlan,
  type MergeRequest,
  mergeIdOf,
  overfullGroups,
  unite,
} from './merge-plan.ts';
import { withoutLinksTo } from './relink-record.ts';

/** Decides a merge in the record that the others are merged into; the body is a MergeRequest. */
export function decideMerge(
  { actor, model, id, conditions, body }: ExistingWriteRequest,
  { now, ...settling }: SettleDeps & { readonly now: () => number },
): Submission['decide'] {
  const request = body as unknown as MergeRequest;
  return (state) => {
    const current = live(state, id);
    if ('refusal' in request) throw toRefusal(request.refusal);
    const { plan, update, sources, previous } = request;
    if (mergeIdOf(current) !== previous) throw mergeUnderWay();
    const asked = { actor, model, conditions, problems: [], ...update };
    const { values } = current;
    const settled = {
      ...withoutLinksTo(plan.sourceIds, { model, values }),
      ...settleUpdate(current, asked, settling),
    };
    const gone = [current.id, ...plan.sourceIds];
    const after = unite(model, { current: values, after: settled, sources, gone });
    refuse(
      model,
      overfullGroups(model, after).map(({ field, maxCount }) => ({
        field,
        type: 'maxCount',
        message: `${field} must have at most ${maxCount} entries`,
      })),
    );
    const written = withFollowedRules(model, { current: values, after, now: now() });
    const decided = { mergePlan: JSON.stringify(plan), mergePlannedAt: formatDateTime(now()) };
    return decideUpdate(current, { ...written, ...decided }, siblingsIn(model));
  };
}

/** What follows for a source: it goes, unless it took others in after the merge looked at it. */
export function decideMergeAway({
  id,
  body,
}: Pick<ExistingWriteRequest, 'id' | 'body'>): Submission['decide'] {
  const { seen } = body as unknown as MergePlan;
  return (state) => {
    const current = live(state, id);
    if (mergeIdOf(current) !== (seen[id] ?? null)) throw mergeUnderWay();
    return decideDelete(current);
  };
}

/** Nobody has to look after this merge any more, though not all of its sources are gone. */
export function decideMergeEnd({
  id,
  body,
}: Pick<ExistingWriteRequest, 'id' | 'body'>): Submission['decide'] {
  const plan = body as unknown as MergePlan;
  return (state) => {
    const current = live(state, id);
    if (mergeIdOf(current) !== plan.id) return undefined;
    const ended: MergePlan = { ...plan, sourceIds: [], seen: {} };
    return decideUpdate(current, { mergePlan: JSON.stringify(ended), mergePlannedAt: null });
  };
}

function mergeUnderWay(): Refusal {
  return new Refusal(
    'conflict',
    'merge.under_way',
    'Another merge of one of these records is under way.',
  );
}
