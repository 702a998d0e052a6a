import { networkInterfaces } from 'node:os';
import type { TargetSettings } from './allowed-targets.ts';
import type { TargetGuard } from './find-addresses.ts';
import { createNameResolver } from './name-resolver.ts';

/** Creates a guard that uses this machine's name servers and addresses. */
export function createTargetGuard(settings: TargetSettings): TargetGuard {
  return {
    rules: { ...settings, ownAddresses: createOwnAddresses() },
    resolver: createNameResolver(),
  };
}

/** Listing the addresses takes about as long as a small request. */
const KNOWN_FOR_MS = 1_000;

/** Returns every address of this machine. Containers and VPNs come and go, so the list is refreshed every second. */
export function createOwnAddresses(): () => readonly string[] {
  let known: readonly string[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - readAt >= KNOWN_FOR_MS) {
      readAt = now;
      known = Object.values(networkInterfaces()).flatMap((all = []) =>
        all.map(({ address }) => address.replace(/%.*$/, '')),
      );
    }
    return known;
  };
}
