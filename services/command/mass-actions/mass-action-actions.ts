import { defineAction } from '../routing/action.ts';
import type { Append } from '../routing/append.ts';
import {
  bodyOf,
  flag,
  type JsonObject,
  json,
  listOf,
  number,
  objectOf,
  oneOf,
  optional,
  text,
} from '../routing/read-body.ts';
import { readSerializedRefusal } from '../routing/serialized-refusal.ts';
import { decideMassAction, type MassActionStep, type PlannedMassAction } from './mass-action.ts';

type Kind = MassActionStep['kind'];
type Step<Of extends Kind> = Extract<MassActionStep, { readonly kind: Of }>;

const readPlanned = objectOf<PlannedMassAction>({
  entityType: text,
  action: text,
  data: json,
  ids: listOf(text),
  isByIds: flag,
});

const steps: { readonly [Of in Kind]: (body: JsonObject) => Step<Of> } = {
  decide: bodyOf({ kind: oneOf(['decide']), runner: text, planned: readPlanned }),
  refuse: bodyOf({ kind: oneOf(['refuse']), refusal: readSerializedRefusal }),
  take: bodyOf({ kind: oneOf(['take']), runner: text }),
  renew: bodyOf({ kind: oneOf(['renew']), runner: text, processedCount: number }),
  cancel: bodyOf({ kind: oneOf(['cancel']), cancelledById: text }),
  end: bodyOf<Step<'end'>>({
    kind: oneOf(['end']),
    runner: text,
    status: oneOf(['Success', 'Failed', 'Stopped', 'Cancelled']),
    reason: optional(text),
    processedCount: number,
    skippedIds: listOf(text),
  }),
};

const readKind = oneOf(['decide', 'refuse', 'take', 'renew', 'cancel', 'end']);

export const massAction = defineAction({
  name: 'mass-action',
  readBody: (body: JsonObject): MassActionStep => steps[readKind(body['kind'], 'kind')](body),
  execute: (owner: { readonly append: Append; readonly now: () => number }, request) => {
    const { id, body: step } = request;
    return owner.append(request, {
      id,
      isCreation: step.kind === 'decide',
      decide: (state) => decideMassAction(state, step, { id, now: owner.now() }),
    });
  },
});

export const massActionActions = [massAction] as const;
