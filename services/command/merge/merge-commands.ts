import type { Append } from '../forwarding/append.ts';
import { defineCommand } from '../forwarding/define-command.ts';
import {
  asJson,
  asListOf,
  asMapOf,
  asObject,
  asText,
  asValues,
  bodyOf,
  type JsonObject,
  nullable,
  type Read,
} from '../forwarding/read-body.ts';
import { readSerializedRefusal, type SerializedRefusal } from '../forwarding/serialized-refusal.ts';
import type { DeriveDeps } from '../records/input/derive-update.ts';
import type { ResolveLinks } from '../records/input/resolve-links.ts';
import { decideMerge, decideMergeAway, decideMergeEnd } from './decide-merge.ts';
import type { ForbiddenLink, MergePlan, MergeRequest, PlannedMerge } from './merge-plan.ts';
import { prepareRelink, type Relinking } from './relink-record.ts';

interface MergeOwner extends DeriveDeps {
  readonly append: Append;
  readonly resolveLinks: ResolveLinks;
  readonly now: () => number;
}

const planParts = {
  id: asText,
  actorId: asText,
  sourceIds: asListOf(asText),
  seen: asMapOf(nullable(asText)),
};

const readPlan = bodyOf<MergePlan>(planParts);

/** Optional, because instances of version 0.1 do not send it. */
const readLinkRefusal: Read<SerializedRefusal> = (note, name) =>
  readSerializedRefusal(withMessage(asJson(note, name)), name);

function withMessage({ message = 'No access to a linked record.', ...note }: JsonObject) {
  return { ...note, message };
}

const readPlanned = bodyOf<PlannedMerge>({
  plan: asObject<MergePlan>(planParts),
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

const readRefused = bodyOf<Extract<MergeRequest, { readonly refusal: unknown }>>({
  refusal: readSerializedRefusal,
});

/** The command for the target of a merge. */
export const mergeCommand = defineCommand({
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

/** The command for a record that refers to a source. */
export const relinkCommand = defineCommand({
  name: 'relink',
  readBody: bodyOf<Relinking>({ entityType: asText, from: asListOf(asText), to: asText }),
  execute: async (owner: MergeOwner, request) => {
    const decide = await prepareRelink(request, owner);
    return owner.append(request, { id: request.id, isCreation: false, decide });
  },
});

/** The command for a source. */
export const mergeAwayCommand = defineCommand({
  name: 'merge-away',
  readBody: readPlan,
  execute: ({ append }: MergeOwner, request) =>
    append(request, { id: request.id, isCreation: false, decide: decideMergeAway(request) }),
});

/** Marks a merge as complete. */
export const endMergeCommand = defineCommand({
  name: 'merge-end',
  readBody: readPlan,
  execute: ({ append }: MergeOwner, request) =>
    append(request, { id: request.id, isCreation: false, decide: decideMergeEnd(request) }),
});

export const mergeCommands = [
  mergeCommand,
  relinkCommand,
  mergeAwayCommand,
  endMergeCommand,
] as const;
