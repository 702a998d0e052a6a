import type { Directory } from '../../../../shared/domain/directory/directory.ts';

/** Clients select attributes freely: at this many plans the cache is cleared. */
const MAX_PLANS = 1_000;

/** Returns the plan of a key, which is built once and cached until the directory changes. */
export function createPlanCache<Plan>({ revision }: Pick<Directory, 'revision'>) {
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
