import { Refusal } from '../errors.ts';
import { type EmailKind, HOUR_MS, type QueuedEmail } from './queued-email.ts';

interface Limits {
  readonly perRecipient: number;
  /** The time in which e-mails to one recipient count. */
  readonly windowMs: number;
  /** To all recipients. */
  readonly perHour: number;
  /** The e-mails that wait while the server is away. Every process keeps them in memory. */
  readonly queued: number;
}

const usual: Limits = { perRecipient: 20, windowMs: HOUR_MS, perHour: 1_000, queued: 1_000 };

/**
 * Some kinds have their own limits, and count separately, so that they cannot use up those of links for new passwords.
 * Visitors of forms are anonymous, and must neither flood a mailbox nor the mail server.
 */
const separate: Readonly<Partial<Record<EmailKind, Limits>>> = {
  optIn: { perRecipient: 3, windowMs: 24 * HOUR_MS, perHour: 500, queued: 500 },
  reminder: { perRecipient: 60, windowMs: HOUR_MS, perHour: 5_000, queued: 2_000 },
};

export function limitsOf(kind: EmailKind): Limits {
  return separate[kind] ?? usual;
}

/** Throws if one more e-mail of this kind to this recipient would exceed a limit. */
export function requireWithinLimits(
  emails: readonly QueuedEmail[],
  { kind, recipientHash }: Pick<QueuedEmail, 'kind' | 'recipientHash'>,
  now: number,
): void {
  const limits = limitsOf(kind);
  const counted = emails.filter((email) => limitsOf(email.kind) === limits);
  const toRecipient = counted.filter(
    (email) => email.recipientHash === recipientHash && email.queuedAtMs > now - limits.windowMs,
  );
  if (toRecipient.length >= limits.perRecipient) {
    const time = limits.windowMs === HOUR_MS ? 'hour' : 'day';
    throw limited(`At most ${limits.perRecipient} e-mails per ${time} are sent to one address.`);
  }
  const ofHour = counted.filter(({ queuedAtMs }) => queuedAtMs > now - HOUR_MS);
  if (ofHour.length >= limits.perHour) {
    throw limited(`At most ${limits.perHour} e-mails are sent per hour.`);
  }
  const queued = counted.filter(({ status }) => status === 'queued');
  if (queued.length >= limits.queued) {
    throw limited(`${limits.queued} e-mails are waiting to be sent. Check the mail server.`);
  }
}

const RETRY_AFTER_SECONDS = 600;

function limited(reason: string): Refusal {
  return new Refusal('too_many_requests', 'mail.limited', `${reason} Try again later.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
