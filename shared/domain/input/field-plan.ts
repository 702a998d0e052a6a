import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { ReadAttribute } from '../field/attribute-rule.ts';
import { compileReader } from '../field/compile-reader.ts';
import type { Derive } from '../field/field-type.ts';
import { asLiteral } from '../value/as-literal.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { compileDerivations } from './compile-derivations.ts';
import { defaultValues } from './default-values.ts';
import { compileRequirements, type Requirement } from './find-missing-fields.ts';

/** Everything about an entity type that is needed to read and derive values, computed once per model. */
export interface FieldPlan {
  /** Keyed by attribute; contains only attributes that clients may write. */
  readonly createReaders: ReadonlyMap<string, ReadAttribute>;
  readonly updateReaders: ReadonlyMap<string, ReadAttribute>;
  readonly defaults: AttributeValues;
  readonly derivations: readonly Derive[];
  readonly requirements: readonly Requirement[];
  /** Maps a field name to its position in the order of validation. */
  readonly fieldOrder: ReadonlyMap<string, number>;
}

export const fieldPlanOf = perModel(buildFieldPlan);

function buildFieldPlan(model: EntityModel): FieldPlan {
  const readable = model.attributes.flatMap((attribute) => {
    const definition = model.fields.get(attribute.field);
    const read = definition && compileReader(attribute, definition);
    return read ? [{ name: attribute.name, read, isFixed: definition?.readOnlyAfterCreate }] : [];
  });
  const changeable = readable.filter(({ isFixed }) => !isFixed);
  return {
    createReaders: new Map(readable.map(({ name, read }) => [name, read])),
    updateReaders: new Map(changeable.map(({ name, read }) => [name, read])),
    defaults: asLiteral(defaultValues(model)),
    derivations: compileDerivations(model),
    requirements: compileRequirements(model),
    fieldOrder: new Map([...model.fields.keys()].map((field, index) => [field, index])),
  };
}
