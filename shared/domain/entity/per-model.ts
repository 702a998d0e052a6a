import type { EntityModel } from './entity-model.ts';

/** Works something out once for each entity model: a changed definition is a new model, so that nothing goes stale. */
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

/** The same for each pair of a model and what looks at it: an actor is a new one too when its rights change. */
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
