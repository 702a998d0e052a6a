import type { Append } from '../forwarding/append.ts';
import { defineCommand } from '../forwarding/define-command.ts';
import {
  asFlag,
  asJson,
  asListOf,
  asNumber,
  asObject,
  asOneOf,
  asText,
  bodyOf,
  type JsonObject,
  optional,
} from '../forwarding/read-body.ts';
import { throwRefusalIn } from '../forwarding/serialized-refusal.ts';
import { decideMassAction, type MassActionStep, type PlannedMassAction } from './mass-action.ts';

type Kind = MassActionStep['kind'];
type Step<Of extends Kind> = Extract<MassActionStep, { readonly kind: Of }>;

const readPlanned = asObject<PlannedMassAction>({
  entityType: asText,
  action: asText,
  data: asJson,
  ids: asListOf(asText),
  isByIds: asFlag,
});

const steps: { readonly [Of in Kind]: (body: JsonObject) => Step<Of> } = {
  decide: bodyOf({ kind: asOneOf(['decide']), runner: asText, planned: readPlanned }),
  take: bodyOf({ kind: asOneOf(['take']), runner: asText }),
  renew: bodyOf({ kind: asOneOf(['renew']), runner: asText, processedCount: asNumber }),
  cancel: bodyOf({ kind: asOneOf(['cancel']), cancelledById: asText }),
  end: bodyOf<Step<'end'>>({
    kind: asOneOf(['end']),
    runner: asText,
    status: asOneOf(['Success', 'Failed', 'Stopped', 'Cancelled']),
    reason: optional(asText),
    processedCount: asNumber,
    skippedIds: asListOf(asText),
    skipped: optional(
      asListOf(asObject({ reason: asText, count: asNumber, ids: asListOf(asText) })),
    ),
  }),
};

const readKind = asOneOf(['decide', 'take', 'renew', 'cancel', 'end']);

export const massActionCommand = defineCommand({
  name: 'mass-action',
  readBody: (body: JsonObject): MassActionStep => {
    throwRefusalIn(body);
    return steps[readKind(body['kind'], 'kind')](body);
  },
  execute: (owner: { readonly append: Append; readonly now: () => number }, request) => {
    const { id, body: step } = request;
    return owner.append(request, {
      id,
      isCreation: step.kind === 'decide',
      decide: (state) => decideMassAction(state, step, { id, now: owner.now() }),
    });
  },
});

export const massActionCommands = [massActionCommand] as const;
