import { Refusal } from '../errors.ts';
import { HOUR_MS, type QueuedEmail } from './queued-email.ts';

/** Per recipient and hour. Requests from strangers must not flood a mailbox. */
export const MAX_PER_RECIPIENT = 20;
/** Per hour, to all recipients. */
export const MAX_PER_HOUR = 1_000;
/** The e-mails that wait while the server is away. Every process keeps them in memory. */
const MAX_QUEUED = 1_000;

/** Throws if one more e-mail to this recipient would exceed a limit. */
export function requireWithinLimits(
  emails: readonly QueuedEmail[],
  recipientHash: string,
  now: number,
): void {
  const ofHour = emails.filter(({ queuedAtMs }) => queuedAtMs > now - HOUR_MS);
  const toRecipient = ofHour.filter((email) => email.recipientHash === recipientHash);
  if (toRecipient.length >= MAX_PER_RECIPIENT) {
    throw limited(`At most ${MAX_PER_RECIPIENT} e-mails per hour are sent to one address.`);
  }
  if (ofHour.length >= MAX_PER_HOUR) {
    throw limited(`At most ${MAX_PER_HOUR} e-mails are sent per hour.`);
  }
  const queued = emails.filter(({ status }) => status === 'queued');
  if (queued.length >= MAX_QUEUED) {
    throw limited(`${MAX_QUEUED} e-mails are waiting to be sent. Check the mail server.`);
  }
}

const RETRY_AFTER_SECONDS = 600;

function limited(reason: string): Refusal {
  return new Refusal('too_many_requests', 'mail.limited', `${reason} Try again later.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
