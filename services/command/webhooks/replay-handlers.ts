import { decideCreate, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { requireWebhook } from '../../../shared/domain/webhook/require-webhook.ts';
import {
  toReplayValues,
  toWebhookReplay,
  webhookReplayType,
} from '../../../shared/domain/webhook/webhook-replay.ts';
import type { CreateRequest, Executed, ExistingWriteRequest } from '../owner/write-request.ts';
import type { WebhookHandlerDeps } from './webhook-handlers.ts';
import { requireLiveWebhook } from './webhook-rules.ts';

/** The period, in milliseconds since 1970. */
export interface AskedReplay {
  readonly webhookId: string;
  readonly from: number;
  readonly to: number;
  readonly dryRun: boolean;
}

const model = { name: webhookReplayType };

/** Requests a replay, which a dispatcher carries out. */
export async function startReplay(
  request: CreateRequest<AskedReplay>,
  { directory, appendToDirectory, newId, recordsEnd }: WebhookHandlerDeps,
): Promise<Executed> {
  const { webhookId, from, to, dryRun } = request.body;
  const ends = await recordsEnd();
  const values = toReplayValues({ webhookId, from, to, dryRun, ends });
  return appendToDirectory(
    { ...request, model },
    {
      id: request.place?.id ?? newId(),
      isCreation: true,
      decide(state) {
        requireLiveWebhook(directory, request.actor, webhookId);
        return decideCreate(state, values);
      },
    },
  );
}

export async function changeReplay(
  request: ExistingWriteRequest,
  values: AttributeValues,
  { directory, appendToDirectory }: WebhookHandlerDeps,
): Promise<Executed> {
  const { actor, id } = request;
  return appendToDirectory(
    { ...request, model },
    {
      id,
      decide: (state) => {
        const current = live(state, id);
        requireWebhook(directory, actor, toWebhookReplay(current).webhookId);
        return decideUpdate(current, values);
      },
    },
  );
}
