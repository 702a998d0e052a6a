import type { Logger } from 'pino';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isProblem, parseEventName } from '../../../shared/domain/webhook/parse-event-name.ts';
import { keepLooking } from '../../../shared/runtime/keep-looking.ts';
import type { Sender } from '../forwarding/send-to-owner.ts';
import { bySystem } from '../forwarding/system-actor.ts';
import { switchOffCommand } from './webhook-commands.ts';

interface SwitchOffDeps extends Omit<Sender, 'timeoutMs'> {
  /** Whether this instance owns the directory. Only the owner deactivates webhooks. */
  readonly isOwner: () => boolean;
  readonly log: Logger;
}

const CHECK_EVERY_MS = 500;
const WRITE_TIMEOUT_MS = 30_000;

/**
 * Deactivates webhooks whose entity type, field or link was removed, and stores the reason in them. Runs after every
 * change of the directory. After a crash the next owner continues. `close` stops it.
 */
export function keepSwitchingOffWebhooks(deps: SwitchOffDeps): { close(): Promise<void> } {
  const { directory, isOwner, log } = deps;
  let checkedRevision: number | undefined;

  async function check(): Promise<void> {
    if (!isOwner()) {
      checkedRevision = undefined;
      return;
    }
    const revision = directory.revision();
    if (checkedRevision === revision) return;
    await switchOffAll(deps);
    checkedRevision = revision;
  }

  return keepLooking(check, { log, what: 'webhooks without an event', everyMs: CHECK_EVERY_MS });
}

async function switchOffAll({ directory, sendToOwner, log, now }: SwitchOffDeps): Promise<void> {
  const model = directory.entity('Webhook');
  if (model === undefined) return;
  const withoutEvent = directory
    .records('Webhook')
    .filter(({ values }) => values['isActive'] === true)
    .filter(({ values }) => isProblem(parseEventName(directory, String(values['event']))));
  for (const { id } of withoutEvent) {
    try {
      const deadline = now() + WRITE_TIMEOUT_MS;
      await sendToOwner(switchOffCommand, { ...bySystem, model, id, body: {}, deadline });
      log.info({ webhookId: id }, 'webhook deactivated');
    } catch (error) {
      // The webhook was removed in the meantime, or its event can happen again.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
