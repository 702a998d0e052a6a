import type { TargetSettings } from './allowed-targets.ts';
import type { TargetGuard } from './find-addresses.ts';
import { createNameResolver } from './name-resolver.ts';
import { createOwnAddresses } from './own-addresses.ts';

/** Creates a guard that uses this machine's name servers and addresses. */
export function createTargetGuard(settings: TargetSettings): TargetGuard {
  return {
    rules: { ...settings, ownAddresses: createOwnAddresses() },
    resolver: createNameResolver(),
  };
}
