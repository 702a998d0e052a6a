import { judgeAddress, type TargetRules, type TargetVerdict } from './judge-target.ts';
import type { NameResolver } from './name-resolver.ts';

export interface TargetGuard {
  readonly rules: TargetRules;
  readonly resolver: NameResolver;
}

export type FoundAddresses =
  /** All were judged; connections go to these and to no others. */
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * The addresses of a judged target. One forbidden address refuses all of them: the owner of the name must not decide
 * which one a connection takes. The reason names no address, since the owner of a webhook reads it.
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
      return answered(() => resolver.askSystem(verdict.name));
    case 'name': {
      const { target } = verdict;
      const found = await answered(() => resolver.ask(target.host, signal));
      if (found.kind !== 'found') return found;
      const reason = found.addresses
        .map((address) => judgeAddress(address, target, rules))
        .find((one) => one !== undefined);
      return reason === undefined ? found : { kind: 'refused', reason };
    }
  }
}

async function answered(ask: () => Promise<readonly string[]>): Promise<FoundAddresses> {
  try {
    return { kind: 'found', addresses: await ask() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return { kind: 'unknown', reason: `its name cannot be resolved${code}` };
  }
}
