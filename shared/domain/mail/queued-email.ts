import { type Decision, decideCreate, decideUpdate, live } from '../record/decide.ts';
import type { RecordState } from '../record/record-state.ts';
import { type AttributeValues, toObject } from '../value/attribute-values.ts';

/**
 * Entity type of e-mails in the directory log. It has no definition, so it has neither a table nor record paths, and
 * webhooks do not receive it.
 *
 *   queued ──take──▶ queued, invisible until the lease ends ──accepted by the server──▶ sent
 *     ▲                       │ temporary failure, or the sender died             └──rejected, or too old──▶ failed
 *     └────── back off ───────┘
 */
export const emailType = 'QueuedEmail';

export const emailKinds = [
  'passwordReset',
  'invitation',
  'newPassword',
  'addressChanged',
  'finding',
  'optIn',
  'reminder',
  'test',
] as const;
export type EmailKind = (typeof emailKinds)[number];

/** Times are in milliseconds since 1970. */
export interface QueuedEmail {
  readonly id: string;
  readonly kind: EmailKind;
  readonly status: 'queued' | 'sent' | 'failed';
  /** The user to whom the e-mail is addressed; null for a visitor of a form. */
  readonly userId: string | null;
  /** Keyed hash of the recipient's address, for limits. */
  readonly recipientHash: string;
  /** The sealed EmailContent; null once the e-mail is sent or has failed. */
  readonly content: string | null;
  readonly queuedAtMs: number;
  /** After this time the e-mail is useless and is no longer sent. */
  readonly expiresAtMs: number;
  readonly attempts: number;
  /** When the e-mail is due; during an attempt, the end of the sender's lease. */
  readonly nextAttemptAtMs: number;
  /** The sealed reason of the last failure. */
  readonly lastError: string | null;
  readonly passwordRequest: PasswordRequest | null;
  readonly finding: FindingNews | null;
}

/** The content of an e-mail. In the log it is sealed, because a link in it may be a secret. */
export interface EmailContent {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same message for clients that show HTML. */
  readonly html?: string | undefined;
}

/** Allows the holder of a link to set a user's password once. */
export interface PasswordRequest {
  /** Keyed hash of the request id in the link. */
  readonly idHash: string;
  /**
   * Keyed hash of the user's password hash at the time of the request. Every change of the password, including the one
   * that uses the link, invalidates the request.
   */
  readonly passwordMark: string;
  readonly expiresAtMs: number;
  /** The address that the client requested for the time after the change. */
  readonly url: string | null;
}

/** An e-mail about a finding of doctor. */
export interface FindingNews {
  readonly key: string;
  readonly phase: 'appeared' | 'gone';
  /** The part that was examined, as doctor names it. */
  readonly part: string;
  /** The finding in English. */
  readonly says: string;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** How long Annals tries to send an e-mail, unless its link expires earlier. */
export const GIVE_UP_AFTER_MS = 24 * HOUR_MS;
/** Longer than an attempt, which ends after a minute. After it, another process may send the e-mail. */
export const LEASE_MS = 90_000;
/** The pauses after the first, the second and later attempts. The last one is repeated. */
const backoffMs = [1, 5, 15, 60, 180, 360].map((minutes) => minutes * MINUTE_MS);

export function toQueuedEmail({ id, values }: RecordState): QueuedEmail {
  const request = toObject(values['passwordRequest']);
  const finding = toObject(values['finding']);
  const { status, userId, content, lastError } = values;
  return {
    id,
    kind: emailKinds.find((kind) => kind === values['kind']) ?? 'test',
    status: status === 'sent' || status === 'failed' ? status : 'queued',
    userId: textOrNull(userId),
    recipientHash: String(values['recipientHash']),
    content: textOrNull(content),
    queuedAtMs: Number(values['queuedAtMs']),
    expiresAtMs: Number(values['expiresAtMs']),
    attempts: Number(values['attempts'] ?? 0),
    nextAttemptAtMs: Number(values['nextAttemptAtMs']),
    lastError: textOrNull(lastError),
    passwordRequest:
      typeof request['idHash'] === 'string'
        ? {
            idHash: request['idHash'],
            passwordMark: String(request['passwordMark']),
            expiresAtMs: Number(request['expiresAtMs']),
            url: textOrNull(request['url']),
          }
        : null,
    finding:
      typeof finding['key'] === 'string'
        ? {
            key: finding['key'],
            phase: finding['phase'] === 'gone' ? 'gone' : 'appeared',
            part: String(finding['part']),
            says: String(finding['says']),
          }
        : null,
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Returns true if this link may still set the password; `passwordMark` is the mark of the current password. */
export function isOpenRequest(
  { passwordRequest, status }: QueuedEmail,
  passwordMark: string,
  now: number,
): boolean {
  if (passwordRequest === null || status === 'failed') return false;
  return passwordRequest.expiresAtMs > now && passwordRequest.passwordMark === passwordMark;
}

/** Decides that this process sends the e-mail now. Returns undefined if another process does. */
export function decideAttempt(
  current: RecordState | undefined,
  id: string,
  { attempts, now }: { readonly attempts: number; readonly now: number },
): Decision | undefined {
  const state = live(current, id);
  const email = toQueuedEmail(state);
  const isFree = email.attempts === attempts && email.nextAttemptAtMs <= now;
  if (email.status !== 'queued' || !isFree) return undefined;
  return decideUpdate(state, { attempts: attempts + 1, nextAttemptAtMs: now + LEASE_MS });
}

/** The outcome of an attempt. */
export type AttemptOutcome =
  | { readonly kind: 'sent' }
  /** `reason` is sealed. A permanent failure is not repeated. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isPermanent: boolean };

/**
 * Decides the end of an attempt. An e-mail that the server has accepted is sent, even if another attempt has begun in
 * the meantime. A failure of an earlier attempt is ignored.
 */
export function decideOutcome(
  current: RecordState | undefined,
  id: string,
  {
    attempt,
    outcome,
    now,
  }: { readonly attempt: number; readonly outcome: AttemptOutcome; readonly now: number },
): Decision | undefined {
  const state = live(current, id);
  const email = toQueuedEmail(state);
  if (email.status !== 'queued') return undefined;
  if (outcome.kind === 'sent') return decideUpdate(state, { status: 'sent', content: null });
  if (email.attempts !== attempt) return undefined;
  const { reason: lastError, isPermanent } = outcome;
  const nextAttemptAtMs = now + backoffOf(attempt);
  if (isPermanent || nextAttemptAtMs >= email.expiresAtMs) {
    return decideUpdate(state, { status: 'failed', content: null, lastError });
  }
  return decideUpdate(state, { nextAttemptAtMs, lastError });
}

function backoffOf(attempt: number): number {
  return backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? MINUTE_MS;
}

/** Values of a new e-mail. */
export type NewEmail = Pick<
  QueuedEmail,
  'kind' | 'userId' | 'recipientHash' | 'expiresAtMs' | 'finding' | 'passwordRequest'
> & { readonly content: string };

/** Throws if an e-mail with this id exists. */
export function decideQueued(
  state: RecordState | undefined,
  email: NewEmail,
  now: number,
): Decision {
  return decideCreate(state, toValues(email, now));
}

function toValues({ passwordRequest, finding, ...email }: NewEmail, now: number): AttributeValues {
  return {
    ...email,
    status: 'queued',
    queuedAtMs: now,
    attempts: 0,
    nextAttemptAtMs: now,
    ...(passwordRequest !== null && { passwordRequest: { ...passwordRequest } }),
    ...(finding !== null && { finding: { ...finding } }),
  };
}

export type SentNews = Pick<QueuedEmail, 'finding' | 'queuedAtMs'>;

/** Returns whether news about a finding is due: at most once per finding and hour, and none that repeats the latest. */
export function isNewsDue(
  latest: SentNews | undefined,
  { phase }: FindingNews,
  now: number,
): boolean {
  if (latest === undefined) return true;
  return latest.queuedAtMs <= now - HOUR_MS && latest.finding?.phase !== phase;
}
