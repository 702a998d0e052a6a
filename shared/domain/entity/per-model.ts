import type { EntityModel } from './entity-model.ts';

/** Works something out once for each entity model: a changed definition is a new model, so that nothing goes stale. */
export function perModel<Derived extends object>(
  derive: (model: EntityModel) => Derived,
): (model: EntityModel) => Derived {
  const known = new WeakMap<EntityModel, Derived>();
  return (model) => {
    const found = known.get(model);
    if (found !== undefined) return found;
    const derived = derive(model);
    known.set(model, derived);
    return derived;
  };
}
