import { lookup, Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { TargetSettings } from './allowed-targets.ts';
import type { NameResolver, TargetGuard } from './find-addresses.ts';

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

const QUERY_TIMEOUT_MS = 700;
const QUERY_TRIES = 2;

/**
 * Resolves subscriber-supplied names with its own sockets: `lookup` uses the few threads of the process, where one
 * silent name server would delay all other lookups and file operations. A resolver per query uses the machine's
 * current name servers and can be cancelled separately. `servers` replaces the machine's name servers.
 */
export function createNameResolver(servers?: readonly string[]): NameResolver {
  return {
    async resolve(name, signal) {
      signal.throwIfAborted();
      const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
      if (servers !== undefined) resolver.setServers(servers);
      const giveUp = () => resolver.cancel();
      signal.addEventListener('abort', giveUp);
      try {
        const answers = await Promise.allSettled([
          resolver.resolve6(name),
          resolver.resolve4(name),
        ]);
        return requireSome(answers);
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
    async resolveBySystem(name) {
      const found = await lookup(name, { all: true });
      return found.map(({ address }) => address);
    },
  };
}

/** One record type suffices: most names have only one, and connections go only to returned addresses. */
function requireSome(answers: readonly PromiseSettledResult<string[]>[]): readonly string[] {
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const failed = answers.find((answer) => answer.status === 'rejected');
  throw failed?.reason ?? new Error('the host name has no addresses');
}
