import { Refusal } from '../../../shared/domain/errors.ts';
import { isProblem, parseEventName } from '../../../shared/domain/webhook/parse-event-name.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { CommandContext } from '../context.ts';
import { bySystem } from '../owner/command.ts';
import { switchOffCommand } from './webhook-commands.ts';

const LOOK_EVERY_MS = 500;
const WRITE_TIMEOUT_MS = 30_000;

/**
 * Deactivates webhooks whose entity type, field or link was removed, so that their owners see the reason. Runs after
 * every change of the directory. After a crash the next owner continues. Answers a function that stops it.
 */
export function keepSwitchingOffWebhooks(context: CommandContext): { close(): Promise<void> } {
  const { directory, directoryWriter, log } = context;
  let seen: number | undefined;

  async function look(): Promise<void> {
    if (!directoryWriter.isOwned()) {
      seen = undefined;
      return;
    }
    const revision = directory.revision();
    if (seen === revision) return;
    await switchOffAll(context);
    seen = revision;
  }

  return runPeriodically(look, { log, what: 'baseless webhooks', everyMs: LOOK_EVERY_MS });
}

async function switchOffAll({ directory, sender, log, now }: CommandContext): Promise<void> {
  const model = directory.entity('Webhook');
  if (model === undefined) return;
  const baseless = directory
    .records('Webhook')
    .filter(({ values }) => values['isActive'] === true)
    .filter(({ values }) => isProblem(parseEventName(directory, String(values['event']))));
  for (const { id } of baseless) {
    try {
      const deadline = now() + WRITE_TIMEOUT_MS;
      await sender.send(switchOffCommand, { ...bySystem, model, id, body: {}, deadline });
      log.info({ webhookId: id }, 'webhook switched off');
    } catch (error) {
      // The webhook was removed meanwhile, or its event can happen again.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
