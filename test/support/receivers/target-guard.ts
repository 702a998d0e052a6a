import { type AllowedTarget, parseAllowedTarget } from '../../../shared/net/allowed-targets.ts';
import {
  createNameResolver,
  createOwnAddresses,
  createTargetGuard,
} from '../../../shared/net/create-target-guard.ts';
import type { TargetGuard } from '../../../shared/net/find-addresses.ts';

/** In the syntax of WEBHOOK_ALLOWED_ADDRESSES. */
function targets(...texts: readonly string[]): readonly AllowedTarget[] {
  return texts.map((text) => {
    const target = parseAllowedTarget(text);
    if (target === undefined) throw new Error(`invalid target: ${text}`);
    return target;
  });
}

/** Creates a guard that also allows these targets. */
export function guardFor(...texts: readonly string[]): TargetGuard {
  return createTargetGuard({ allowed: targets(...texts), ports: [] });
}

interface OpenableGuard extends TargetGuard {
  /** Targets that an operator allowed, for receivers whose ports are known only later. */
  open(...texts: readonly string[]): void;
}

export function createOpenableGuard(servers?: readonly string[]): OpenableGuard {
  const allowed: AllowedTarget[] = [];
  return {
    rules: { allowed, ports: [], ownAddresses: createOwnAddresses() },
    resolver: createNameResolver(servers),
    open: (...texts) => void allowed.push(...targets(...texts)),
  };
}
