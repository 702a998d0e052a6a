import type { Directory } from '../../../shared/domain/directory/directory.ts';

/** Clients select attributes freely, so the cache is cleared when it contains this many plans. */
const MAX_PLANS = 1_000;

/** Returns a function that builds the plan of a key once and caches it until the directory changes. */
export function createPlanCache<Plan>(revision: Directory['revision']) {
  const plans = new Map<string, Plan>();
  let builtAt = revision();

  return (key: string, build: () => Plan): Plan => {
    if (builtAt !== revision() || plans.size >= MAX_PLANS) {
      plans.clear();
      builtAt = revision();
    }
    const known = plans.get(key);
    if (known !== undefined) return known;
    const built = build();
    plans.set(key, built);
    return built;
  };
}
