import { lookup as lookupByDns } from 'node:dns/promises';
import type { FieldProblem } from '../../../shared/domain/errors.ts';
import { type AddressGuard, literalOf, targetOf } from '../../../shared/net/address-guard.ts';

const LOOKUP_TIMEOUT_MS = 2_000;

type Lookup = (hostname: string) => Promise<readonly string[]>;

/**
 * Whether a webhook may have a url, by the rule that sending follows too. A name that cannot be resolved now passes: it
 * is judged again at each connection, and a receiver may be registered before its name is known everywhere.
 */
export function createJudgeUrl(guard: AddressGuard, lookup: Lookup = lookupAll) {
  return async (text: string): Promise<FieldProblem | undefined> => {
    // What is no url at all is told by the field itself.
    if (!URL.canParse(text)) return undefined;
    const url = new URL(text);
    const refusal = guard.refusalOf(url);
    if (refusal !== undefined) return notInternal(refusal);
    const target = targetOf(url);
    const literal = literalOf(target.hostname);
    const addresses = literal === undefined ? await tryLookup(lookup, target.hostname) : [literal];
    const isAllowed = addresses.every((address) => guard.allows(target, address));
    return isAllowed ? undefined : notInternal('its name leads to an internal address');
  };
}

async function tryLookup(lookup: Lookup, hostname: string): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), LOOKUP_TIMEOUT_MS);
  });
  try {
    return await Promise.race([lookup(hostname).catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function lookupAll(hostname: string): Promise<readonly string[]> {
  return (await lookupByDns(hostname, { all: true })).map(({ address }) => address);
}

function notInternal(reason: string): FieldProblem {
  return {
    field: 'url',
    type: 'notInternal',
    message: `url is not allowed for webhooks: ${reason}.`,
  };
}
