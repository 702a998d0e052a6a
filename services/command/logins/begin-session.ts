import type { FastifyReply, FastifyRequest } from 'fastify';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { AuthToken, TokenOrigin } from '../../../shared/domain/login/auth-token.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { readSession, setSession } from '../../../shared/http/login/session-cookie.ts';
import type { CommandContext } from '../context.ts';

interface NewSession {
  readonly user: RecordState;
  /** Set if the user authenticated at a provider. */
  readonly origin?: TokenOrigin;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Begins a session of a browser, and ends the previous session of the same browser. */
export async function beginSession(
  context: CommandContext,
  { user, origin, request, reply }: NewSession,
): Promise<void> {
  const { logins } = context;
  const earlier = sessionOf(context, request);
  const { token } = await logins.issueToken(user, {
    withSecret: false,
    userAgent: request.headers['user-agent'],
    origin,
  });
  if (earlier !== undefined) {
    await logins.endLogins(user, [earlier.id]).catch((error: unknown) => {
      // The new session exists. The previous one expires unused, because its cookie has been replaced.
      if (!(error instanceof Unavailable)) throw error;
    });
  }
  setSession(reply, token);
}

/** Returns the log-in in the session cookie of a request, even if it is no longer accepted. */
export function sessionOf(
  { directory, secrets }: CommandContext,
  request: FastifyRequest,
): AuthToken | undefined {
  const token = readSession(request);
  return token === undefined ? undefined : directory.authTokenByHash(secrets.tokenHash(token));
}
