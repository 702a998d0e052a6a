import { randomBytes } from 'node:crypto';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { HOUR_MS, type PasswordRequest } from '../../../shared/domain/mail/queued-email.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { passwordMarkOf } from '../../../shared/http/login/password-hash-of.ts';
import { isPasswordAllowed } from '../../../shared/http/login/prove-login.ts';
import type { BaseContext } from '../context.ts';
import { queueEmail, requireMail } from '../mail/queue-email.ts';
import type { CommandAnswer } from '../owner/command.ts';

const REQUEST_ID_BYTES = 16;
/** Validity of a link that the user requested, and of a link that an administrator requested. */
const validMs = { passwordReset: 3 * HOUR_MS, invitation: 48 * HOUR_MS } as const;

interface Link {
  readonly kind: keyof typeof validMs;
  /** The address that the client requested for the time after the change. */
  readonly url?: string | null;
  /** True if the link replaces a link that is still valid. Otherwise there can be only one. */
  readonly replacesRequest?: boolean;
}

/**
 * Queues an e-mail with a link with which the user can set a password. The log contains only a hash of the id in the
 * link.
 */
export async function sendLink(
  context: BaseContext,
  user: RecordState,
  { kind, url = null, replacesRequest = false }: Link,
): Promise<CommandAnswer> {
  const { clock, config, secrets } = context;
  const { siteUrl } = requireMail(config);
  const requestId = randomBytes(REQUEST_ID_BYTES).toString('hex');
  const passwordRequest: PasswordRequest = {
    idHash: secrets.tokenHash(requestId),
    passwordMark: passwordMarkOf(secrets, user),
    expiresAtMs: clock.now() + validMs[kind],
    url,
  };
  // Browsers do not send the fragment, so that no server log contains the id.
  const link = `${siteUrl}/change-password#${requestId}`;
  return queueEmail(context, {
    kind,
    user,
    write: (texts, values) => texts[kind]({ ...values, link }),
    passwordRequest,
    replacesRequest,
  });
}

/** Throws unless the user may log in with a password. */
export function requireRecoverable(
  { directory }: Pick<BaseContext, 'directory'>,
  user: RecordState,
): void {
  const { isActive, type } = user.values;
  const hasPassword = type === 'regular' || type === 'admin';
  if (isActive === true && hasPassword && isPasswordAllowed(directory, user)) return;
  const message =
    'The user is inactive, neither a regular user nor an administrator, or signs in only through a provider.';
  throw new Refusal('forbidden', 'password.no_recovery', message);
}

/** Sends a new user a link. The user exists, so a failure is only logged: an administrator can send another link. */
export async function inviteUser(context: BaseContext, user: RecordState): Promise<void> {
  if (context.config.mail === undefined) return;
  try {
    requireRecoverable(context, user);
    await sendLink(context, user, { kind: 'invitation' });
  } catch (err) {
    if (!(err instanceof Refusal || err instanceof Unavailable)) throw err;
    // A repeated request finds the link of the first one.
    context.log.warn({ err, userId: user.id }, 'cannot send a link to a new user');
  }
}
