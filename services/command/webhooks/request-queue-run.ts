import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { decideCreate, decideUpdate } from '../../../shared/domain/record/decide.ts';
import { queueRunId, settingType } from '../../../shared/domain/webhook/queue-run.ts';
import type { Append, AppendRequest } from '../forwarding/append.ts';
import type { Executed } from '../forwarding/write-request.ts';

/**
 * Requests a run of "Process Webhook Queue" by a setting in the directory log. All dispatchers read it, and it survives
 * restarts.
 */
export function requestQueueRun(
  appendToDirectory: Append,
  request: Omit<AppendRequest, 'model'> & { readonly actor: Actor; readonly now: number },
): Promise<Executed> {
  const { actor, now } = request;
  if (actor.type !== 'admin') {
    throw new Refusal(
      'forbidden',
      'webhook.run_forbidden',
      'Only an administrator may run the webhook queue.',
    );
  }
  return appendToDirectory(
    { ...request, model: { name: settingType } },
    {
      id: queueRunId,
      isCreation: false,
      decide: (state) =>
        state === undefined
          ? decideCreate(state, { requestedAt: now, count: 1 })
          : decideUpdate(state, { requestedAt: now, count: Number(state.values['count']) + 1 }),
    },
  );
}
