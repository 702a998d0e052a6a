import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { decideCreate, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { requireWebhook } from '../../../shared/domain/webhook/require-webhook.ts';
import {
  toReplayValues,
  toWebhookReplay,
  webhookReplayType,
} from '../../../shared/domain/webhook/webhook-replay.ts';
import type { DirectoryCommands } from './directory-commands.ts';
import type { CreateRequest, Executed, ExistingWriteRequest } from './write-request.ts';

interface ReplayCommandDeps {
  readonly directory: Directory;
  readonly directoryCommands: DirectoryCommands;
  readonly newId: () => string;
  readonly recordsEnd: () => Promise<readonly bigint[]>;
}

export interface ReplayCommands {
  /** The body is `{webhookId, from, to, dryRun}`, times in milliseconds since 1970. A dispatcher carries it out. */
  startReplay(request: CreateRequest): Promise<Executed>;
  /** What is enqueued by then goes out. */
  cancelReplay(request: ExistingWriteRequest): Promise<Executed>;
  /** A cancelled one goes on where it stood. */
  resumeReplay(request: ExistingWriteRequest): Promise<Executed>;
}

const model = { name: webhookReplayType };

export function createReplayCommands(deps: ReplayCommandDeps): ReplayCommands {
  const { directory, directoryCommands } = deps;

  async function setCancelled(
    request: ExistingWriteRequest,
    isCancelled: boolean,
  ): Promise<Executed> {
    return directoryCommands.append(
      { ...request, model },
      {
        id: request.id,
        isCreation: false,
        decide: (state) => {
          const current = live(state, request.id);
          requireWebhook(directory, request.actor, toWebhookReplay(current).webhookId);
          return decideUpdate(current, { isCancelled });
        },
      },
    );
  }

  return {
    async startReplay(request) {
      const { webhookId, from, to, dryRun } = request.body;
      const webhook = requireWebhook(directory, request.actor, String(webhookId));
      if (webhook.deleted) {
        throw new Refusal('not_found', 'record.not_found', 'Webhook not found.');
      }
      const values = toReplayValues({
        webhookId: webhook.id,
        from: Number(from),
        to: Number(to),
        dryRun: dryRun === true,
        ends: await deps.recordsEnd(),
      });
      return directoryCommands.append(
        { ...request, model },
        {
          id: request.place?.id ?? deps.newId(),
          isCreation: true,
          decide: (state) => decideCreate(state, values),
        },
      );
    },
    cancelReplay: (request) => setCancelled(request, true),
    resumeReplay: (request) => setCancelled(request, false),
  };
}
