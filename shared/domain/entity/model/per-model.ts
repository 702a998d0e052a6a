import type { EntityModel } from './entity-model.ts';

/** Memoizes a value per entity model. A changed definition creates a new model, so the value is never stale. */
export function perModel<Rest extends readonly unknown[], Derived extends object>(
  derive: (model: EntityModel, ...rest: Rest) => Derived,
): (model: EntityModel, ...rest: Rest) => Derived {
  const known = new WeakMap<EntityModel, Derived>();
  return (model, ...rest) => {
    const found = known.get(model);
    if (found !== undefined) return found;
    const derived = derive(model, ...rest);
    known.set(model, derived);
    return derived;
  };
}

/** Memoizes per model and actor. A change to permissions creates a new actor, so the value is never stale. */
export function perActorAndModel<
  Actor extends object,
  Rest extends readonly unknown[],
  Derived extends object,
>(
  derive: (actor: Actor, model: EntityModel, ...rest: Rest) => Derived,
): (actor: Actor, model: EntityModel, ...rest: Rest) => Derived {
  const known = new WeakMap<Actor, WeakMap<EntityModel, Derived>>();
  return (actor, model, ...rest) => {
    const ofActor = known.get(actor);
    const found = ofActor?.get(model);
    if (found !== undefined) return found;
    const derived = derive(actor, model, ...rest);
    if (ofActor === undefined) known.set(actor, new WeakMap([[model, derived]]));
    else ofActor.set(model, derived);
    return derived;
  };
}
