import { lookup, Resolver } from 'node:dns/promises';

export interface NameResolver {
  /** Every A and AAAA of a name, asked of the name servers once. Throws where there is none or none answers. */
  ask(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** As any program on this machine would, hosts file and search domains included. */
  askSystem(name: string): Promise<readonly string[]>;
}

interface ResolverOptions {
  /** Other name servers than the machine's. */
  readonly servers?: readonly string[];
}

const QUERY_TIMEOUT_MS = 700;
const QUERY_TRIES = 2;

/**
 * Names that strangers choose are asked for over sockets of their own: `lookup` runs on the few threads of the
 * process, where one name server that does not answer would hold up everybody else's look-ups (and files). A
 * resolver per question sees the machine's name servers as they are now and can be given up alone.
 */
export function createNameResolver({ servers }: ResolverOptions = {}): NameResolver {
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

/** One kind is enough: most names have only one, and only what was answered is connected to. */
function requireSome(answers: readonly PromiseSettledResult<string[]>[]): readonly string[] {
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const failed = answers.find((answer) => answer.status === 'rejected');
  throw failed?.reason ?? new Error('the name has no address');
}
