import { Refusal } from '../../shared/domain/errors.ts';
import { registerAppRoutes } from './logins/app-routes.ts';
import { createLoginCommands, type LoginCommands } from './logins/login-writes.ts';
import { registerSessionRoutes } from './logins/session-routes.ts';
import { registerUserSecurityRoutes } from './logins/user-security-routes.ts';
import type { RouteCommand } from './routing/route-commands.ts';
import type { CommandDeps } from './wire-deps.ts';

/** Log-ins, and the routes about them. */
export function wireLogins(
  deps: Pick<
    CommandDeps,
    | 'authentication'
    | 'clock'
    | 'config'
    | 'follower'
    | 'log'
    | 'secrets'
    | 'server'
    | 'untilConsistent'
  >,
  route: RouteCommand,
  newId: () => string,
): LoginCommands {
  const { authentication, clock, config, follower, log, secrets, server, untilConsistent } = deps;
  const { directory } = follower;
  const logins = createLoginCommands({
    directory,
    secrets,
    route,
    newId,
    tokenLifetime: config.tokenLifetime,
    timeoutMs: config.writeTimeoutMs,
    now: clock.now,
    onFailure(err) {
      // Another instance was quicker.
      if (!(err instanceof Refusal)) log.warn({ err }, 'login not noted');
    },
  });
  const routeDeps = { authentication, directory, secrets, logins, untilConsistent };
  registerAppRoutes(server, { ...routeDeps, maxUploadBytes: config.maxUploadBytes });
  registerSessionRoutes(server, { ...routeDeps, maxUploadBytes: config.maxUploadBytes });
  registerUserSecurityRoutes(server, { ...routeDeps, now: clock.now });
  return logins;
}
