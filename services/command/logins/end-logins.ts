import { Refusal } from '../../../shared/domain/errors.ts';
import type { Identity } from '../../../shared/http/login/authenticate.ts';
import type { CommandAnswer } from '../forwarding/send-to-owner.ts';
import type { LoginWrites } from './login-writes.ts';

/** Ends log-ins one after the other. Skips log-ins that have ended meanwhile. */
export async function endLogins(
  logins: Pick<LoginWrites, 'revokeToken'>,
  by: Identity['proven'],
  ids: readonly string[],
): Promise<readonly CommandAnswer[]> {
  const ended: CommandAnswer[] = [];
  for (const id of ids) {
    try {
      ended.push(await logins.revokeToken(by, id));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return ended;
}
