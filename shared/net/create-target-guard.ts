import type { AllowedTarget } from './allowed-targets.ts';
import type { TargetGuard } from './find-addresses.ts';
import { createNameResolver } from './name-resolver.ts';
import { createOwnAddresses } from './own-addresses.ts';

/** A guard that uses this machine's name servers and addresses. */
export function createTargetGuard(allowed: readonly AllowedTarget[]): TargetGuard {
  return { rules: { allowed, ownAddresses: createOwnAddresses() }, resolver: createNameResolver() };
}
