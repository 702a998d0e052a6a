import {
  type TargetRules,
  type TargetVerdict,
  validateUrl,
} from '../../../../shared/net/validate-target.ts';

/** Limited because this machine's addresses, which requests may not go to, can change. */
const GOOD_FOR_MS = 1_000;
const MAX_URLS = 10_000;

/**
 * Returns a function that validates urls, each at most once a second. The decisive check is made for every connection
 * (guard/guarded-connector.ts).
 */
export function createUrlValidator(
  rules: TargetRules,
  now: () => number,
): (url: string) => TargetVerdict {
  const known = new Map<string, { readonly verdict: TargetVerdict; readonly until: number }>();
  return (url) => {
    const found = known.get(url);
    if (found !== undefined && found.until > now()) return found.verdict;
    if (known.size >= MAX_URLS) known.clear();
    const verdict = validateUrl(url, rules);
    known.set(url, { verdict, until: now() + GOOD_FOR_MS });
    return verdict;
  };
}
