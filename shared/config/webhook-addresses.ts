import { type AllowedTarget, parseAllowedTarget } from '../net/address-guard.ts';
import type { EnvReader } from './env.ts';

/** WEBHOOK_ALLOWED_ADDRESSES: what webhooks may reach beyond the public internet, with commas between them. */
export function readAllowedTargets(read: EnvReader): readonly AllowedTarget[] {
  return read.list('WEBHOOK_ALLOWED_ADDRESSES', []).flatMap((entry) => {
    const target = parseAllowedTarget(entry);
    if (target === undefined)
      read.refuse(`WEBHOOK_ALLOWED_ADDRESSES has '${entry}', neither host:port nor CIDR:port`);
    return target ?? [];
  });
}
