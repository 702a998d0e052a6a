import { requireWebhook } from '../../../shared/domain/directory/require-webhook.ts';
import {
  toReplayValues,
  toWebhookReplay,
  webhookReplayType,
} from '../../../shared/domain/directory/webhook-replay.ts';
import { decideCreate, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import { appendToDirectory } from '../owner/append.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import { requireLiveWebhook } from './webhook-rules.ts';

/** `from` and `to` are in milliseconds since 1970. */
export interface ReplayRequest {
  readonly webhookId: string;
  readonly from: number;
  readonly to: number;
  readonly dryRun: boolean;
}

const model = { name: webhookReplayType };

/** Requests a replay. A dispatcher carries it out. */
export async function startReplay(
  request: WriteRequest<ReplayRequest>,
  context: CommandContext,
): Promise<Executed> {
  const { webhookId, from, to, dryRun } = request.body;
  const { directory, newId, recordsEnd } = context;
  const ends = await recordsEnd();
  const values = toReplayValues({ webhookId, from, to, dryRun, ends });
  return appendToDirectory(
    context,
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
  request: WriteRequest,
  values: AttributeValues,
  context: CommandContext,
): Promise<Executed> {
  const { actor, id } = request;
  return appendToDirectory(
    context,
    { ...request, model },
    {
      id,
      decide: (state) => {
        const current = live(state, id);
        requireWebhook(context.directory, actor, toWebhookReplay(current).webhookId);
        return decideUpdate(current, values);
      },
    },
  );
}
