import { Refusal } from '../../../shared/domain/errors.ts';
import type { OwnAddressChange } from '../../../shared/domain/login/own-address-changes.ts';
import { emailType, HOUR_MS, MINUTE_MS } from '../../../shared/domain/mail/queued-email.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { CommandContext } from '../context.ts';
import { isAddress, queueEmail } from './queue-email.ts';

const LOOK_EVERY_MS = 1_000;
/** Later notices are dropped. Shorter than the time for which e-mails are remembered. */
const LATEST_MS = 12 * HOUR_MS;
/** The pause before a notice is tried again that exceeded a limit. */
const PAUSE_MS = 5 * MINUTE_MS;

/**
 * Sends users who changed their own e-mail address a notice to the previous address, in case another person used their
 * session. Only the owner of the directory does this. The id of the e-mail is derived from the change, so the log has at
 * most one e-mail for it, also after a restart and if two processes act as the owner. `close` stops it.
 */
export function keepSendingAddressNotices(context: CommandContext): { close(): Promise<void> } {
  return runPeriodically(createAddressNotices(context), {
    log: context.log,
    what: 'notices of changed addresses',
    everyMs: LOOK_EVERY_MS,
  });
}

/** Returns a function that queues all notices that are due. */
export function createAddressNotices(context: CommandContext): () => Promise<void> {
  const { clock, directory, directoryWriter, log, secrets } = context;
  /** Until when notices are not sent again, by the id of the e-mail. */
  const paused = new Map<string, number>();

  const idOf = ({ eventId, userId }: OwnAddressChange) =>
    secrets.tokenHash(`address of ${userId} changed by ${eventId}`);

  function isDue(change: OwnAddressChange): boolean {
    if (change.firstAtMs + LATEST_MS <= clock.now()) return false;
    const id = idOf(change);
    return !paused.has(id) && directory.record(emailType, id) === undefined;
  }

  async function notify(change: OwnAddressChange): Promise<void> {
    const id = idOf(change);
    const { userId, before } = change;
    const user = directory.record('User', userId);
    if (user === undefined || user.deleted || !isAddress(before)) return;
    try {
      await queueEmail(context, {
        kind: 'addressChanged',
        user,
        id,
        to: before,
        write: (texts, values) => texts.addressChanged(values),
      });
      paused.set(id, change.firstAtMs + LATEST_MS);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Another process has queued it, or too many e-mails were sent.
      paused.set(id, clock.now() + PAUSE_MS);
      if (error.code === 'record.exists') return;
      log.warn({ code: error.code, userId }, 'cannot send a notice of a changed address');
    }
  }

  return async () => {
    if (!directoryWriter.isOwned()) return;
    const now = clock.now();
    for (const [id, until] of paused) if (until <= now) paused.delete(id);
    for (const change of directory.ownAddressChanges.all()) {
      if (isDue(change)) await notify(change);
    }
  };
}
