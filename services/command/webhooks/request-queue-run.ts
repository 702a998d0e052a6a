import { settingType } from '../../../shared/domain/directory/directory.ts';
import { queueRunId } from '../../../shared/domain/directory/queue-run.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { decideWrite } from '../../../shared/domain/record/decide.ts';
import type { CommandContext } from '../context.ts';
import { appendToDirectory } from '../owner/append.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';

/**
 * Requests a run of "Process Webhook Queue" by writing a setting to the directory log. All dispatchers read it, and it
 * survives restarts.
 */
export async function requestQueueRun(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  const requestedAt = context.now();
  return appendToDirectory(
    context,
    { ...request, model: { name: settingType } },
    {
      id: queueRunId,
      decide(state) {
        if (request.actor.type !== 'admin') {
          const message = 'Only administrators may run the webhook queue.';
          throw new Refusal('forbidden', 'webhook.run_forbidden', message);
        }
        // The count makes requests within a millisecond different events.
        const count = Number(state?.values['count'] ?? 0) + 1;
        return decideWrite(state, { requestedAt, count });
      },
    },
  );
}
