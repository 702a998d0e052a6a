import { Refusal } from '../../shared/domain/errors.ts';
import type { SendToOwner } from './forwarding/send-to-owner.ts';
import { createLoginWrites, type LoginWrites } from './logins/login-writes.ts';
import type { CommandDeps } from './wire-deps.ts';

/** Wires the writes of log-ins. */
export function wireLogins(
  { clock, config, follower, log, secrets }: CommandDeps,
  sendToOwner: SendToOwner,
  newId: () => string,
): LoginWrites {
  return createLoginWrites({
    directory: follower.directory,
    secrets,
    sendToOwner,
    newId,
    tokenLifetime: config.tokenLifetime,
    timeoutMs: config.writeTimeoutMs,
    now: clock.now,
    onFailure(err) {
      // Another instance has written it first.
      if (!(err instanceof Refusal)) log.warn({ err }, 'login not noted');
    },
  });
}
