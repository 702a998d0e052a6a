import type { FastifyInstance } from 'fastify';
import { authTokenType, isUseDue, toAuthToken } from '../../../shared/domain/login/auth-token.ts';
import {
  type CodeAnswer,
  type LoginBodies,
  loginPaths,
} from '../../../shared/http/login/login-paths.ts';
import { requireInternalToken } from '../../../shared/http/server/internal-server.ts';
import type { CommandContext } from '../context.ts';

/**
 * Registers the routes through which query processes extend tokens and accept the codes of second factors. `context`
 * throws Unavailable while the service starts.
 */
export function registerInternalLogins(
  server: FastifyInstance,
  internalToken: string,
  context: () => Pick<CommandContext, 'clock' | 'config' | 'directory' | 'logins'>,
): void {
  const requireToken = requireInternalToken(internalToken);

  server.post<{ Body: LoginBodies['tokenUses'] }>(loginPaths.tokenUses, async (request) => {
    requireToken(request);
    const { clock, config, directory, logins } = context();
    for (const id of request.body.ids) {
      const state = directory.record(authTokenType, id);
      if (state === undefined || state.deleted) continue;
      const token = toAuthToken(state);
      // Another process may have reported the use before.
      if (isUseDue(token, config.tokenLifetime, clock.now())) logins.recordTokenUse(token);
    }
    return {};
  });

  server.post<{ Body: LoginBodies['codes'] }>(loginPaths.codes, async (request) => {
    requireToken(request);
    const { userId, step } = request.body;
    const answer: CodeAnswer = { isAccepted: await context().logins.acceptCode(userId, step) };
    return answer;
  });

  server.post<{ Body: LoginBodies['recoveryCodes'] }>(loginPaths.recoveryCodes, async (request) => {
    requireToken(request);
    const { userId, hash } = request.body;
    const isAccepted = await context().logins.acceptRecoveryCode(userId, hash);
    const answer: CodeAnswer = { isAccepted };
    return answer;
  });
}
