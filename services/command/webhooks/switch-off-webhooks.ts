import type { Logger } from 'pino';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isProblem, parseEventName } from '../../../shared/domain/webhook/parse-event-name.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { Sender } from '../forwarding/send-to-owner.ts';
import { bySystem } from '../forwarding/system-actor.ts';
import { switchOffCommand } from './webhook-commands.ts';

interface SwitchOffDeps extends Omit<Sender, 'timeoutMs'> {
  /** Whether this instance owns the directory. Only the owner does this. */
  readonly isOwner: () => boolean;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 500;
const WRITE_TIMEOUT_MS = 30_000;

/**
 * Deactivates webhooks whose entity type, field or link was removed, so that their owners see the reason. Runs after
 * every change of the directory. After a crash the next owner continues. Answers a function that stops it.
 */
export function keepSwitchingOffWebhooks(deps: SwitchOffDeps): { close(): Promise<void> } {
  const { directory, isOwner, log } = deps;
  let seen: number | undefined;

  async function look(): Promise<void> {
    if (!isOwner()) {
      seen = undefined;
      return;
    }
    const revision = directory.revision();
    if (seen === revision) return;
    await switchOffAll(deps);
    seen = revision;
  }

  return runPeriodically(look, { log, what: 'baseless webhooks', everyMs: LOOK_EVERY_MS });
}

async function switchOffAll({ directory, sendToOwner, log, now }: SwitchOffDeps): Promise<void> {
  const model = directory.entity('Webhook');
  if (model === undefined) return;
  const baseless = directory
    .records('Webhook')
    .filter(({ values }) => values['isActive'] === true)
    .filter(({ values }) => isProblem(parseEventName(directory, String(values['event']))));
  for (const { id } of baseless) {
    try {
      const deadline = now() + WRITE_TIMEOUT_MS;
      await sendToOwner(switchOffCommand, { ...bySystem, model, id, body: {}, deadline });
      log.info({ webhookId: id }, 'webhook switched off');
    } catch (error) {
      // The webhook was removed meanwhile, or its event can happen again.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
