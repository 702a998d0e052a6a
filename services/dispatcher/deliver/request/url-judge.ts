import {
  type TargetRules,
  type TargetVerdict,
  validateUrl,
} from '../../../../shared/net/validate-target.ts';

/** The addresses of this machine, which requests may not go to, can change. */
const GOOD_FOR_MS = 1_000;
const MAX_URLS = 10_000;

/**
 * Judges a url once a second instead of once per request. The decisive check is made with every connection
 * (guard/guarded-connector.ts).
 */
export function createUrlJudge(
  rules: TargetRules,
  now: () => number,
): (url: string) => TargetVerdict {
  const judged = new Map<string, { readonly verdict: TargetVerdict; readonly until: number }>();
  return (url) => {
    const found = judged.get(url);
    if (found !== undefined && found.until > now()) return found.verdict;
    if (judged.size >= MAX_URLS) judged.clear();
    const verdict = validateUrl(url, rules);
    judged.set(url, { verdict, until: now() + GOOD_FOR_MS });
    return verdict;
  };
}
