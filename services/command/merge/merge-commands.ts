import { defineChange } from '../owner/define-command.ts';
import {
  readSerializedRefusal,
  type SerializedRefusal,
  throwRefusalIn,
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
import { decideMerge, decideMergeAway, decideMergeEnd } from './decide-merge.ts';
import type { ForbiddenLink, MergePlan, PlannedMerge } from './merge-plan.ts';
import { prepareRelink, type Relinking } from './relink-record.ts';

const readPlan = asObject<MergePlan>({
  id: asText,
  actorId: asText,
  sourceIds: asListOf(asText),
  seen: asMapOf(nullable(asText)),
});

/** Reads a refusal without a message too, because instances of version 0.1 do not send one. */
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

/** The command for a record that refers to a source. */
export const relinkCommand = defineChange({
  name: 'relink',
  readBody: asObject<Relinking>({ entityType: asText, from: asListOf(asText), to: asText }),
  decide: prepareRelink,
});

/** The command for a source. */
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

export const mergeCommands = [
  mergeCommand,
  relinkCommand,
  mergeAwayCommand,
  endMergeCommand,
] as const;
