import { lookup, Resolver } from 'node:dns/promises';

export interface NameResolver {
  /** Every A and AAAA record of a name, asked of the name servers once. Throws if there is none or none answers. */
  ask(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Resolves like any program on this machine, with hosts file and search domains. */
  askSystem(name: string): Promise<readonly string[]>;
}

const QUERY_TIMEOUT_MS = 700;
const QUERY_TRIES = 2;

/**
 * Resolves names that subscribers chose over sockets of its own: `lookup` uses the few threads of the process, where
 * one silent name server would delay all other look-ups and file operations. A resolver per query sees the machine's
 * present name servers and can be cancelled alone. `servers` are name servers in place of the machine's.
 */
export function createNameResolver(servers?: readonly string[]): NameResolver {
  return {
    async ask(name, signal) {
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
    async askSystem(name) {
      const found = await lookup(name, { all: true });
      return found.map(({ address }) => address);
    },
  };
}

/** One kind suffices: most names have only one, and connections go only to addresses that were answered. */
function requireSome(answers: readonly PromiseSettledResult<string[]>[]): readonly string[] {
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const failed = answers.find((answer) => answer.status === 'rejected');
  throw failed?.reason ?? new Error('the name has no address');
}
