import { findAddressProblem, type TargetRules, type TargetVerdict } from './validate-target.ts';

export interface NameResolver {
  /**
   * Returns every A and AAAA record of a name from one query to the name servers. Throws if none exist or no
   * server responds.
   */
  resolve(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Resolves like other programs on this machine, with the hosts file and search domains. */
  resolveBySystem(name: string): Promise<readonly string[]>;
}

export interface TargetGuard {
  readonly rules: TargetRules;
  readonly resolver: NameResolver;
}

type FoundAddresses =
  /** All addresses were validated; connections go only to these. */
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Returns the addresses of a validated target. If one of them is forbidden, all are rejected, because the owner of the
 * name must not decide which address a connection uses. The reason does not include the address, because the owner of
 * the webhook can read it.
 */
export async function findAddresses(
  verdict: TargetVerdict,
  { rules, resolver }: TargetGuard,
  signal: AbortSignal,
): Promise<FoundAddresses> {
  switch (verdict.kind) {
    case 'refused':
      return { kind: 'refused', reason: verdict.reason };
    case 'address':
      return { kind: 'found', addresses: [verdict.address] };
    case 'opened name':
      return toFound(() => resolver.resolveBySystem(verdict.name));
    case 'name': {
      const { target } = verdict;
      const found = await toFound(() => resolver.resolve(target.host, signal));
      if (found.kind !== 'found') return found;
      const reason = found.addresses
        .map((address) => findAddressProblem(address, target, rules))
        .find((one) => one !== undefined);
      return reason === undefined ? found : { kind: 'refused', reason };
    }
  }
}

async function toFound(resolve: () => Promise<readonly string[]>): Promise<FoundAddresses> {
  try {
    return { kind: 'found', addresses: await resolve() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return { kind: 'unknown', reason: `its name cannot be resolved${code}` };
  }
}
