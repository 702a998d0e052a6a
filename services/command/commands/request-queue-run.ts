import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { decideCreate, decideUpdate } from '../../../shared/domain/record/decide.ts';
import { queueRunId, settingType } from '../../../shared/domain/webhook/queue-run.ts';
import type { DirectoryCommands } from './directory-commands.ts';

/**
 * "Process Webhook Queue", now: a setting in the directory log, which every dispatcher follows. So the request
 * survives a restart of either side and reaches all of them.
 */
export async function requestQueueRun(
  directoryCommands: DirectoryCommands,
  { actor, now }: { readonly actor: Actor; readonly now: number },
): Promise<void> {
  if (actor.type !== 'admin') {
    throw new Refusal(
      'forbidden',
      'webhook.run_forbidden',
      'Only an administrator may run the webhook queue.',
    );
  }
  await directoryCommands.append(
    { actor, model: { name: settingType }, correlationId: null, untilReadable: false },
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
