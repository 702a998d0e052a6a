import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { addressOf } from '../../../shared/http/address/address-of.ts';
import { createLoginLimit } from '../../../shared/http/login/login-limit.ts';
import { createTargetGuard } from '../../../shared/net/create-target-guard.ts';
import type { StartedContext } from '../context.ts';
import { createProviderConnections, type ProviderConnections } from './connect-provider.ts';
import { createProviderFetch } from './provider-fetch.ts';

export interface SingleSignOn {
  readonly connections: ProviderConnections;
  /** Counts rejected sign-ins per address, and rejects addresses with too many of them. */
  limited<Result>(request: FastifyRequest, act: () => Promise<Result>): Promise<Result>;
}

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;

export function createSingleSignOn({
  config,
  lifecycle,
  openSecret,
  now,
}: StartedContext): SingleSignOn {
  const { fetch, close } = createProviderFetch(createTargetGuard(config.providerTargets));
  lifecycle.opened('connections to providers', close);
  const limit = createLoginLimit({ maxFailures: MAX_FAILURES, windowMs: WINDOW_MS, now });
  return {
    connections: createProviderConnections({ fetch, openSecret }),
    async limited(request, act) {
      const address = addressOf(request);
      if (limit.isExceeded(address)) {
        const message = 'Too many failed logins from this address.';
        throw new Refusal('forbidden', 'login.limited', message);
      }
      try {
        return await act();
      } catch (error) {
        if (error instanceof Refusal) limit.recordFailure(address);
        throw error;
      }
    },
  };
}
