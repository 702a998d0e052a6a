import { requireWebhook } from '../../../shared/domain/directory/require-webhook.ts';
import {
  webhookReplayType as entityType,
  toReplayValues,
  toWebhookReplay,
} from '../../../shared/domain/directory/webhook-replay.ts';
import {
  type Decision,
  decideCreate,
  decideUpdate,
  live,
} from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { appendToDirectory } from '../owner/append.ts';
import type { WriteRequest } from '../owner/command.ts';
import { type Deciding, defineChange, defineCommand } from '../owner/define-command.ts';
import { asFlag, asJson, asNumber, asObject, asText } from '../owner/read-body.ts';
import { requireLiveWebhook } from './webhook-rules.ts';

/** `from` and `to` are in milliseconds since 1970. */
interface ReplayRequest {
  readonly webhookId: string;
  readonly from: number;
  readonly to: number;
  readonly dryRun: boolean;
}

/** Requests a replay. A dispatcher carries it out. */
export const startReplayCommand = defineCommand({
  name: 'start-replay',
  readBody: asObject<ReplayRequest>({
    webhookId: asText,
    from: asNumber,
    to: asNumber,
    dryRun: asFlag,
  }),
  async execute(context, { body, ...request }) {
    const { directory, newId, recordsEnd } = context;
    const values = toReplayValues({ ...body, ends: await recordsEnd() });
    return appendToDirectory(
      context,
      { ...request, model: { name: entityType } },
      {
        id: request.place?.id ?? newId(),
        isCreation: true,
        decide(state) {
          requireLiveWebhook(directory, request.actor, body.webhookId);
          return decideCreate(state, values);
        },
      },
    );
  },
});

/** Cancels a replay. Events that are already enqueued are still delivered. */
export const cancelReplayCommand = defineChange({
  name: 'cancel-replay',
  readBody: asJson,
  entityType,
  decide: (state, request, deciding) =>
    changeReplay(state, { ...request, values: { isCancelled: true } }, deciding),
});

/** Continues a cancelled or stopped replay at its position, with the permissions of the resuming user. */
export const resumeReplayCommand = defineChange({
  name: 'resume-replay',
  readBody: asJson,
  entityType,
  decide(state, request, deciding) {
    const values = { isCancelled: false, resumedById: request.actor.id };
    return changeReplay(state, { ...request, values }, deciding);
  },
});

function changeReplay(
  state: RecordState | undefined,
  { actor, id, values }: WriteRequest & { readonly values: AttributeValues },
  { context }: Deciding,
): Decision | undefined {
  const current = live(state, id);
  requireWebhook(context.directory, actor, toWebhookReplay(current).webhookId);
  return decideUpdate(current, values);
}
