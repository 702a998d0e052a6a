import type { Directory } from '../../../shared/domain/directory/directory.ts';

/** Answers the plan of a key, built once and kept until the directory changes. */
export type PlanCache<Plan> = (key: string, build: () => Plan) => Plan;

/** Clients choose attributes freely: at this many plans the cache starts again. */
const maxPlans = 1_000;

export function createPlanCache<Plan>({ revision }: Pick<Directory, 'revision'>): PlanCache<Plan> {
  const plans = new Map<string, Plan>();
  let builtAt = revision();

  return (key, build) => {
    if (builtAt !== revision() || plans.size >= maxPlans) {
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
