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
/** Sign-ins of an address that may wait for providers together. Their outcome is counted only afterwards. */
const MAX_RUNNING = 20;
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
  const running = new Map<string, number>();
  const countRunning = (address: string, change: 1 | -1): void => {
    const count = (running.get(address) ?? 0) + change;
    if (count === 0) running.delete(address);
    else running.set(address, count);
  };
  return {
    connections: createProviderConnections({ fetch, openSecret }),
    async limited(request, act) {
      const address = addressOf(request);
      if (limit.isExceeded(address) || (running.get(address) ?? 0) >= MAX_RUNNING) {
        const message = 'Too many failed logins from this address.';
        throw new Refusal('forbidden', 'login.limited', message);
      }
      countRunning(address, 1);
      try {
        return await act();
      } catch (error) {
        if (error instanceof Refusal) limit.recordFailure(address);
        throw error;
      } finally {
        countRunning(address, -1);
      }
    },
  };
}
