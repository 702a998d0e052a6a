import { append } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { throwRefusalIn } from '../owner/protocol.ts';
import {
  asFlag,
  asJson,
  asListOf,
  asNumber,
  asObject,
  asOneOf,
  asText,
  type JsonObject,
  optional,
  type Read,
} from '../owner/read-body.ts';
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

const steps: { readonly [Of in Kind]: Read<Step<Of>> } = {
  decide: asObject({ kind: asOneOf(['decide']), runner: asText, planned: readPlanned }),
  take: asObject({ kind: asOneOf(['take']), runner: asText }),
  renew: asObject({ kind: asOneOf(['renew']), runner: asText, processedCount: asNumber }),
  cancel: asObject({ kind: asOneOf(['cancel']), cancelledById: asText }),
  end: asObject<Step<'end'>>({
    kind: asOneOf(['end']),
    runner: asText,
    status: asOneOf(['Success', 'Failed', 'Stopped', 'Cancelled']),
    reason: optional(asText),
    processedCount: asNumber,
    skippedIds: asListOf(asText),
    skipped: optional(
      asListOf(asObject({ reason: asText, count: asNumber, ids: asListOf(asText) })),
    ),
    result: optional(asText),
  }),
};

const readKind = asOneOf(['decide', 'take', 'renew', 'cancel', 'end']);

export const massActionCommand = defineCommand({
  name: 'mass-action',
  readBody: (body: JsonObject): MassActionStep => {
    throwRefusalIn(body);
    return steps[readKind(body['kind'], 'kind')](body, 'body');
  },
  execute: (context, request) => {
    const { id, body: step } = request;
    return append(context, request, {
      id,
      isCreation: step.kind === 'decide',
      decide: (state, { now }) => decideMassAction(state, step, { id, now }),
    });
  },
});
