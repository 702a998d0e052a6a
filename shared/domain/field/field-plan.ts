import type { FieldDefinition } from '../entity/entity-definition.ts';
import type { EntityModel } from '../entity/entity-model.ts';
import type { AttributeValues } from '../record/attribute-values.ts';
import type { ReadAttribute } from './attribute-rule.ts';
import { compileReader } from './compile-reader.ts';
import { defaultValues } from './default-values.ts';
import { compileRequirements, type Requirement } from './find-missing-fields.ts';
import { compileSettlers, type Settle } from './compile-settlers.ts';

/** What reading and settling need to know of an entity type, worked out once per model. */
export interface FieldPlan {
  /** By attribute; attributes that clients may not write have none. */
  readonly readers: ReadonlyMap<string, ReadAttribute>;
  readonly fixedAfterCreate: ReadonlySet<string>;
  readonly defaults: AttributeValues;
  readonly settlers: readonly Settle[];
  readonly requirements: readonly Requirement[];
  /** Field name to its place in the order of validation. */
  readonly fieldOrder: ReadonlyMap<string, number>;
}

/** A model is built anew when a definition changes, so a plan never goes stale. */
const plans = new WeakMap<EntityModel, FieldPlan>();

export function fieldPlanOf(model: EntityModel): FieldPlan {
  const known = plans.get(model);
  if (known !== undefined) return known;
  const plan = buildFieldPlan(model);
  plans.set(model, plan);
  return plan;
}

function buildFieldPlan(model: EntityModel): FieldPlan {
  return {
    readers: compileReaders(model),
    fixedAfterCreate: new Set(
      model.attributes
        .filter(({ field }) => model.fields.get(field)?.readOnlyAfterCreate === true)
        .map(({ name }) => name),
    ),
    defaults: defaultValues(model),
    settlers: compileSettlers(model),
    requirements: compileRequirements(model),
    fieldOrder: new Map([...model.fields.keys()].map((field, index) => [field, index])),
  };
}

function compileReaders(model: EntityModel): ReadonlyMap<string, ReadAttribute> {
  const readers = new Map<string, ReadAttribute>();
  for (const attribute of model.attributes) {
    const definition: FieldDefinition | undefined = model.fields.get(attribute.field);
    const reader = definition === undefined ? null : compileReader(attribute, definition);
    if (reader !== null) readers.set(attribute.name, reader);
  }
  return readers;
}
