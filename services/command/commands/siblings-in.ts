import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import type { SiblingsOf } from '../../../shared/domain/record/decide.ts';

const siblingsOfModel = new WeakMap<EntityModel, ReadonlyMap<string, readonly string[]>>();

/** Which attributes belong to one field (an address, a link), worked out once per entity model. */
export function siblingsIn(model: EntityModel): SiblingsOf {
  const known = siblingsOfModel.get(model) ?? buildSiblings(model);
  siblingsOfModel.set(model, known);
  return (attribute) => known.get(attribute) ?? [];
}

function buildSiblings(model: EntityModel): ReadonlyMap<string, readonly string[]> {
  const byField = Map.groupBy(model.attributes, ({ field }) => field);
  return new Map(
    model.attributes.map(({ name, field }) => [
      name,
      (byField.get(field) ?? []).map((sibling) => sibling.name).filter((other) => other !== name),
    ]),
  );
}
