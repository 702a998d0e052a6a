import { counted } from '../../../shared/domain/counted.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  type Decision,
  decideDelete,
  decideUpdate,
  live,
} from '../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../shared/domain/record/followed-rules.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { append } from '../owner/append.ts';
import type { WriteRequest } from '../owner/command.ts';
import { type Deciding, defineChange, defineCommand } from '../owner/define-command.ts';
import {
  readSerializedRefusal,
  type SerializedRefusal,
  throwRefusalIn,
  toRefusal,
} from '../owner/protocol.ts';
import {
  asJson,
  asListOf,
  asMapOf,
  asObject,
  asText,
  asValues,
  type JsonObject,
  nullable,
  type Read,
} from '../owner/read-body.ts';
import { siblingsIn } from '../records/input/decide-change.ts';
import { deriveUpdate } from '../records/input/derive-update.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';
import type { ResolvedLinks } from '../records/input/resolve-links.ts';
import {
  type ForbiddenLink,
  type MergePlan,
  mergeIdOf,
  overfullGroups,
  type PlannedMerge,
  unite,
} from './merge-plan.ts';
import { prepareRelink, type Relinking, withoutLinksTo } from './relink-record.ts';

const readPlan = asObject<MergePlan>({
  id: asText,
  actorId: asText,
  sourceIds: asListOf(asText),
  seen: asMapOf(nullable(asText)),
});

/** Also accepts a refusal without a message, because version 0.1 does not send messages. */
const readLinkRefusal: Read<SerializedRefusal> = (note, name) =>
  readSerializedRefusal(withMessage(asJson(note, name)), name);

function withMessage({ message = 'No access to a linked record.', ...note }: JsonObject) {
  return { ...note, message };
}

const readPlanned = asObject<PlannedMerge>({
  plan: readPlan,
  update: asObject<PlannedMerge['update']>({
    values: asValues,
    links: asObject<PlannedMerge['update']['links']>({
      values: asValues,
      unreadable: asListOf(
        asObject<ForbiddenLink>({
          idAttribute: asText,
          ids: asListOf(asText),
          refusal: readLinkRefusal,
        }),
      ),
    }),
  }),
  sources: asListOf(asValues),
  previous: nullable(asText),
});

/** The command for the target of a merge. */
export const mergeCommand = defineChange({
  name: 'merge',
  readBody: (body: JsonObject): PlannedMerge => {
    throwRefusalIn(body);
    return readPlanned(body, 'body');
  },
  decide: decideMerge,
});

/** The command for a record that refers to a source of a merge. */
export const relinkCommand = defineCommand({
  name: 'relink',
  readBody: asObject<Relinking>({ entityType: asText, from: asListOf(asText), to: asText }),
  execute: async (context, request) => {
    const decide = await prepareRelink(request, context);
    return append(context, request, { id: request.id, decide });
  },
});

/** The command for a source of a merge. */
export const mergeAwayCommand = defineChange({
  name: 'merge-away',
  readBody: readPlan,
  decide: decideMergeAway,
});

/** Marks a merge as complete. */
export const endMergeCommand = defineChange({
  name: 'merge-end',
  readBody: readPlan,
  decide: decideMergeEnd,
});

export function decideMerge(
  state: RecordState | undefined,
  request: WriteRequest<PlannedMerge>,
  { context, now }: Deciding,
): Decision | undefined {
  const { actor, model, id, conditions } = request;
  const { plan, update, sources, previous } = request.body;
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
  const written = withFollowedRules(model, { current: values, after, now });
  const decided = { mergePlan: JSON.stringify(plan), mergePlannedAt: formatDateTime(now) };
  return decideUpdate(current, { ...written, ...decided }, siblingsIn(model));
}

/** Deletes a source of a merge, unless other records have been merged into it since the plan. */
function decideMergeAway(
  state: RecordState | undefined,
  { id, body: plan }: WriteRequest<MergePlan>,
): Decision {
  const current = live(state, id);
  if (mergeIdOf(current) !== (plan.seen[id] ?? null)) throw mergeUnderWay();
  return decideDelete(current);
}

/** Ends a merge, even if some of its sources still exist. */
function decideMergeEnd(
  state: RecordState | undefined,
  { id, body: plan }: WriteRequest<MergePlan>,
): Decision | undefined {
  const current = live(state, id);
  if (mergeIdOf(current) !== plan.id) return undefined;
  const ended: MergePlan = { ...plan, sourceIds: [], seen: {} };
  return decideUpdate(current, { mergePlan: JSON.stringify(ended), mergePlannedAt: null });
}

/** Returns the links in an update that were resolved before the command was sent. */
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
