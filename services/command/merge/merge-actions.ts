import type { DeriveDeps } from '../records/derive-update.ts';
import type { ResolveLinks } from '../records/resolve-links.ts';
import { defineAction } from '../routing/action.ts';
import type { Append } from '../routing/append.ts';
import {
  bodyOf,
  type JsonObject,
  json,
  listOf,
  mapOf,
  nullable,
  objectOf,
  type Read,
  text,
  values,
} from '../routing/read-body.ts';
import { readSerializedRefusal, type SerializedRefusal } from '../routing/serialized-refusal.ts';
import { decideMerge, decideMergeAway, decideMergeEnd } from './decide-merge.ts';
import type { ForbiddenLink, MergePlan, MergeRequest, PlannedMerge } from './merge-plan.ts';
import { prepareRelink, type Relinking } from './relink-record.ts';

interface MergeOwner extends DeriveDeps {
  readonly append: Append;
  readonly resolveLinks: ResolveLinks;
  readonly now: () => number;
}

const planParts = {
  id: text,
  actorId: text,
  sourceIds: listOf(text),
  seen: mapOf(nullable(text)),
};

const readPlan = bodyOf<MergePlan>(planParts);

/** Instances of version 0.1 do not send what it says. */
const readLinkRefusal: Read<SerializedRefusal> = (note, name) =>
  readSerializedRefusal(withMessage(json(note, name)), name);

function withMessage({ message = 'No access to a linked record.', ...note }: JsonObject) {
  return { ...note, message };
}

const readPlanned = bodyOf<PlannedMerge>({
  plan: objectOf<MergePlan>(planParts),
  update: objectOf<PlannedMerge['update']>({
    values,
    links: objectOf<PlannedMerge['update']['links']>({
      values,
      unreadable: listOf(
        objectOf<ForbiddenLink>({ idAttribute: text, ids: listOf(text), refusal: readLinkRefusal }),
      ),
    }),
  }),
  sources: listOf(values),
  previous: nullable(text),
});

const readRefused = bodyOf<Extract<MergeRequest, { readonly refusal: unknown }>>({
  refusal: readSerializedRefusal,
});

/** About the record that others are merged into. */
export const mergeAction = defineAction({
  name: 'merge',
  readBody: (body: JsonObject): MergeRequest =>
    body['refusal'] === undefined ? readPlanned(body) : readRefused(body),
  execute: (owner: MergeOwner, request) =>
    owner.append(request, {
      id: request.id,
      isCreation: false,
      decide: decideMerge(request, owner),
    }),
});

/** About a record that refers to one that was merged into another one. */
export const relinkAction = defineAction({
  name: 'relink',
  readBody: bodyOf<Relinking>({ entityType: text, from: listOf(text), to: text }),
  execute: async (owner: MergeOwner, request) => {
    const decide = await prepareRelink(request, owner);
    return owner.append(request, { id: request.id, isCreation: false, decide });
  },
});

/** About a record that was merged into another one. */
export const mergeAwayAction = defineAction({
  name: 'merge-away',
  readBody: readPlan,
  execute: ({ append }: MergeOwner, request) =>
    append(request, { id: request.id, isCreation: false, decide: decideMergeAway(request) }),
});

/** Nothing is left to do of a merge. */
export const endMergeAction = defineAction({
  name: 'merge-end',
  readBody: readPlan,
  execute: ({ append }: MergeOwner, request) =>
    append(request, { id: request.id, isCreation: false, decide: decideMergeEnd(request) }),
});

export const mergeActions = [mergeAction, relinkAction, mergeAwayAction, endMergeAction] as const;
