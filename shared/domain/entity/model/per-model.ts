import type { EntityModel } from './entity-model.ts';

/** Memoizes a value per entity model. A changed definition creates a new model, so the value is never stale. */
export function perModel<Rest extends readonly unknown[], Derived extends object>(
  derive: (model: EntityModel, ...rest: Rest) => Derived,
): (model: EntityModel, ...rest: Rest) => Derived {
  const known = new WeakMap<EntityModel, Derived>();
  return (model, ...rest) => {
    const derived = known.get(model) ?? derive(model, ...rest);
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
    const ofActor = known.get(actor) ?? new WeakMap<EntityModel, Derived>();
    known.set(actor, ofActor);
    const derived = ofActor.get(model) ?? derive(actor, model, ...rest);
    ofActor.set(model, derived);
    return derived;
  };
}
