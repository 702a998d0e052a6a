import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { decideCreate, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { requireWebhook } from '../../../shared/domain/webhook/require-webhook.ts';
import {
  toReplayValues,
  toWebhookReplay,
  webhookReplayType,
} from '../../../shared/domain/webhook/webhook-replay.ts';
import type { Append } from '../forwarding/append.ts';
import type { CreateRequest, Executed, ExistingWriteRequest } from '../forwarding/write-request.ts';

interface ReplayHandlerDeps {
  readonly directory: Directory;
  readonly appendToDirectory: Append;
  readonly newId: () => string;
  readonly recordsEnd: () => Promise<readonly bigint[]>;
}

/** The period, in milliseconds since 1970. */
export interface AskedReplay {
  readonly webhookId: string;
  readonly from: number;
  readonly to: number;
  readonly dryRun: boolean;
}

export interface ReplayHandlers {
  /** Requests a replay, which a dispatcher carries out. */
  startReplay(request: CreateRequest<AskedReplay>): Promise<Executed>;
  /** Cancels a replay. Events that are already enqueued are still delivered. */
  cancelReplay(request: ExistingWriteRequest): Promise<Executed>;
  /** Continues a cancelled or stalled replay at its position, with the rights of the user who resumes it. */
  resumeReplay(request: ExistingWriteRequest): Promise<Executed>;
}

const model = { name: webhookReplayType };

export function createReplayHandlers(deps: ReplayHandlerDeps): ReplayHandlers {
  const { directory, appendToDirectory } = deps;

  async function change(request: ExistingWriteRequest, values: AttributeValues): Promise<Executed> {
    return appendToDirectory(
      { ...request, model },
      {
        id: request.id,
        isCreation: false,
        decide: (state) => {
          const current = live(state, request.id);
          requireWebhook(directory, request.actor, toWebhookReplay(current).webhookId);
          return decideUpdate(current, values);
        },
      },
    );
  }

  return {
    async startReplay(request) {
      const { webhookId, from, to, dryRun } = request.body;
      const webhook = requireWebhook(directory, request.actor, webhookId);
      if (webhook.deleted) {
        throw new Refusal('not_found', 'record.not_found', 'Webhook not found.');
      }
      const values = toReplayValues({
        webhookId: webhook.id,
        from,
        to,
        dryRun,
        ends: await deps.recordsEnd(),
      });
      return appendToDirectory(
        { ...request, model },
        {
          id: request.place?.id ?? deps.newId(),
          isCreation: true,
          decide: (state) => decideCreate(state, values),
        },
      );
    },
    cancelReplay: (request) => change(request, { isCancelled: true }),
    resumeReplay: (request) =>
      change(request, { isCancelled: false, resumedById: request.actor.id }),
  };
}
