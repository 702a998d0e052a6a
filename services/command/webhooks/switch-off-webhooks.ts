import { isProblem, parseEventName } from '../../../shared/domain/directory/parse-event-name.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { CommandContext } from '../context.ts';
import { bySystem } from '../owner/command.ts';
import { removeCommand } from '../records/remove.ts';
import { switchOffCommand } from './webhook-commands.ts';

const CHECK_EVERY_MS = 500;
const WRITE_TIMEOUT_MS = 30_000;

/**
 * Deactivates webhooks whose entity type, field or link was removed, and stores the reason in them. Runs after every
 * directory change. After a crash the next owner continues. `close` stops it.
 */
export function keepSwitchingOffWebhooks(context: CommandContext): { close(): Promise<void> } {
  const { directory, directoryWriter, log } = context;
  let checkedRevision: number | undefined;

  async function check(): Promise<void> {
    if (!directoryWriter.isOwned()) {
      checkedRevision = undefined;
      return;
    }
    const revision = directory.revision();
    if (checkedRevision === revision) return;
    await switchOffAll(context);
    checkedRevision = revision;
  }

  return runPeriodically(check, {
    log,
    what: 'webhooks without an event',
    everyMs: CHECK_EVERY_MS,
  });
}

async function switchOffAll({ directory, sender, log, now }: CommandContext): Promise<void> {
  const model = directory.entity('Webhook');
  if (model === undefined) return;
  const withoutEvent = directory
    .records('Webhook')
    .filter(({ values }) => values['isActive'] === true)
    .filter(({ values }) => isProblem(parseEventName(directory, String(values['event']))));
  for (const { id } of withoutEvent) {
    try {
      const deadline = now() + WRITE_TIMEOUT_MS;
      await sender.send(switchOffCommand, { ...bySystem, model, id, body: {}, deadline });
      log.info({ webhookId: id }, 'webhook deactivated');
    } catch (error) {
      // The webhook was removed in the meantime, or its event can happen again.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** Removes a webhook whose receiver responded with 410. Does nothing if the webhook does not exist. */
export async function removeWebhook(
  id: string,
  { directory, sender, now, timeoutMs }: CommandContext,
): Promise<void> {
  const state = directory.record('Webhook', id);
  const model = directory.entity('Webhook');
  if (state === undefined || state.deleted || model === undefined) return;
  const deadline = now() + timeoutMs;
  await sender.send(removeCommand, { ...bySystem, id, model, body: {}, deadline });
}
