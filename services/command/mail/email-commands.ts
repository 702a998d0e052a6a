import { Refusal } from '../../../shared/domain/errors.ts';
import {
  type AttemptOutcome,
  decideAttempt,
  decideOutcome,
  decideQueued,
  type EmailKind,
  emailKinds,
  emailType,
  isNewsDue,
  isOpenRequest,
  type NewEmail,
} from '../../../shared/domain/mail/queued-email.ts';
import { requireWithinLimits } from '../../../shared/domain/mail/require-within-limits.ts';
import { defineChange } from '../owner/define-command.ts';
import {
  asFlag,
  asNumber,
  asObject,
  asOneOf,
  asText,
  nullable,
  optional,
} from '../owner/read-body.ts';

/** Sent between instances as JSON. */
export interface QueueInput {
  readonly email: NewEmail;
  /** In milliseconds since 1970. */
  readonly atMs: number;
  /** True if an administrator requests the link: it replaces a link that is still valid. */
  readonly replacesRequest: boolean;
}

const readEmail = asObject<NewEmail>({
  kind: asOneOf<EmailKind>(emailKinds),
  userId: nullable(asText),
  recipientHash: asText,
  content: asText,
  expiresAtMs: asNumber,
  passwordRequest: nullable(
    asObject({
      idHash: asText,
      passwordMark: asText,
      expiresAtMs: asNumber,
      url: nullable(asText),
    }),
  ),
  finding: nullable(
    asObject({
      key: asText,
      phase: asOneOf(['appeared', 'gone']),
      part: asText,
      says: asText,
    }),
  ),
});

/**
 * Queues an e-mail. The owner of the directory decides one command at a time, so limits are exact, and of two
 * simultaneous requests for a new password one is rejected.
 */
export const queueEmailCommand = defineChange({
  name: 'queue-email',
  readBody: asObject<QueueInput>({ email: readEmail, atMs: asNumber, replacesRequest: asFlag }),
  entityType: emailType,
  isCreation: true,
  decide(state, { body: { email, atMs: now, replacesRequest } }, { context }) {
    const { emails } = context.directory;
    const { userId, passwordRequest, finding } = email;
    const earlier = userId === null ? undefined : emails.passwordRequestOf(userId);
    if (passwordRequest !== null && !replacesRequest && earlier !== undefined) {
      if (isOpenRequest(earlier, passwordRequest.passwordMark, now)) throw alreadySent();
    }
    const isNews =
      finding === null ||
      userId === null ||
      isNewsDue(emails.latestAbout(userId, finding.key), finding, now);
    if (!isNews) throw alreadySent();
    requireWithinLimits(emails.recent(), email, now);
    return decideQueued(state, email, now);
  },
});

function alreadySent(): Refusal {
  return new Refusal(
    'forbidden',
    'mail.already_sent',
    'An e-mail with a link that is still valid has already been sent.',
    { statusReason: 'Already-Sent' },
  );
}

/** The begin of an attempt. Sent between instances as JSON. */
interface StartedAttempt {
  /** The number of earlier attempts. */
  readonly attempts: number;
  readonly atMs: number;
}

export const startAttemptCommand = defineChange({
  name: 'start-email-attempt',
  readBody: asObject<StartedAttempt>({ attempts: asNumber, atMs: asNumber }),
  entityType: emailType,
  decide: (state, { id, body: { attempts, atMs: now } }) =>
    decideAttempt(state, id, { attempts, now }),
});

/** The end of an attempt. Sent between instances as JSON. */
export interface EndedAttempt {
  readonly attempt: number;
  readonly atMs: number;
  readonly kind: AttemptOutcome['kind'];
  readonly reason?: string | undefined;
  readonly isPermanent?: boolean | undefined;
}

export const endAttemptCommand = defineChange({
  name: 'end-email-attempt',
  readBody: asObject<EndedAttempt>({
    attempt: asNumber,
    atMs: asNumber,
    kind: asOneOf(['sent', 'failed']),
    reason: optional(asText),
    isPermanent: optional(asFlag),
  }),
  entityType: emailType,
  decide(state, { id, body }) {
    const { attempt, atMs: now, kind, reason = '', isPermanent = false } = body;
    const outcome: AttemptOutcome = kind === 'sent' ? { kind } : { kind, reason, isPermanent };
    return decideOutcome(state, id, { attempt, outcome, now });
  },
});

export const emailCommands = [queueEmailCommand, startAttemptCommand, endAttemptCommand] as const;
