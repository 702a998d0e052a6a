/**
 * Sends the writes of log-ins to the api that owns the directory, because a query process has no writer.
 *
 * The use of a token only extends its lifetime: no request waits for it. Uses are collected for a second and sent
 * together; if that fails they are dropped, because the next use of the token is recorded instead. A request with a code
 * waits for the answer, because each code is accepted once in the whole installation.
 */
import type { Logger } from 'pino';
import type { RequestOwner } from '../../../shared/directory/request-owner.ts';
import type { ProofWrites } from '../../../shared/http/login/login-deps.ts';
import {
  type CodeAnswer,
  type LoginBodies,
  loginPaths,
} from '../../../shared/http/login/login-paths.ts';
import type { Lifecycle } from '../../../shared/runtime/lifecycle.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';

const COLLECT_MS = 1_000;
/** Limits how many writes the owner of the directory gets together. */
const MAX_IDS = 1_000;

export function forwardLoginWrites({
  requestOwner,
  lifecycle,
  log,
  metrics,
}: {
  readonly requestOwner: RequestOwner;
  readonly lifecycle: Pick<Lifecycle, 'opened'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'read'>;
}): ProofWrites {
  const used = new Set<string>();
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  metrics.read('annals_login_uses_dropped_total', () => dropped);

  async function sendUses(): Promise<void> {
    timer = undefined;
    const ids = [...used];
    used.clear();
    if (ids.length === 0) return;
    try {
      await post('tokenUses', { ids });
    } catch (err) {
      dropped += ids.length;
      log.warn({ err, uses: ids.length }, 'uses of log-ins not recorded');
    }
  }

  async function post<Kind extends keyof LoginBodies>(kind: Kind, body: LoginBodies[Kind]) {
    return requestOwner({ method: 'POST', path: loginPaths[kind], body });
  }

  async function accept(kind: 'codes' | 'recoveryCodes', body: LoginBodies[typeof kind]) {
    const { isAccepted } = (await post(kind, body)) as CodeAnswer;
    return isAccepted;
  }

  // A timer that fires while the last request is unanswered must not start a second one.
  const flush = (): Promise<void> => {
    sending = sending.then(sendUses);
    return sending;
  };
  lifecycle.opened('uses of log-ins', async () => {
    clearTimeout(timer);
    await flush();
  });

  return {
    recordTokenUse({ id }) {
      if (used.size < MAX_IDS) used.add(id);
      else dropped += 1;
      timer ??= setTimeout(() => void flush(), COLLECT_MS);
    },
    acceptCode: async (userId, step) => accept('codes', { userId, step }),
    acceptRecoveryCode: async (userId, hash) => accept('recoveryCodes', { userId, hash }),
  };
}
