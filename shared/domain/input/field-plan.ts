import { type EntityModel, systemAttributes } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { Attribute } from '../field/attribute.ts';
import type { ReadAttribute } from '../field/attribute-rule.ts';
import type { FieldBase } from '../field/field-base.ts';
import type { Derive } from '../field/field-type.ts';
import { compileReader, fieldTypeOf, isCounted } from '../field/field-types.ts';
import { emptyValue } from '../record/to-record-body.ts';
import { asLiteral } from '../value/as-literal.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { compileRequirements, type Requirement } from './find-missing-fields.ts';

/** Everything about an entity type that is needed to read and derive values, computed once per model. */
interface FieldPlan {
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

/**
 * Returns the values of a new record that its creator does not set: all of the record's attributes, including nulls. If
 * a field has no default, bools are false and lists are empty, even if they have no column. Values that Annals assigns
 * (numbers, times, versions) and values from the other side of links are absent.
 */
export function defaultValues(model: EntityModel): AttributeValues {
  return Object.fromEntries(
    model.attributes
      .filter((attribute) => belongsToRecord(model, attribute))
      .map((attribute) => [attribute.name, defaultValue(model, attribute)]),
  );
}

function belongsToRecord(model: EntityModel, { name, field, through }: Attribute): boolean {
  return (
    through === undefined && !systemAttributes.has(name) && !isCounted(model.fields.get(field))
  );
}

function defaultValue(model: EntityModel, attribute: Attribute): AttributeValue {
  const { name, field } = attribute;
  const chosen = name === field ? model.fields.get(field)?.default : undefined;
  // A null default means that the field has no default.
  return chosen ?? emptyValue(attribute);
}

/** Orders derivations so that values derived from other fields are computed after those fields. */
function compileDerivations(model: EntityModel): readonly Derive[] {
  const fields = [...model.fields];
  return [
    ...fields.flatMap(([field, one]) => fieldTypeOf(one).derive?.(field, one) ?? []),
    ...fields.flatMap(([field, { valueBy }]) =>
      valueBy === undefined ? [] : [derivedBy(field, valueBy)],
    ),
    ...compileFollowing(model),
  ];
}

/** Derives the default when the other attribute is written, unless the request sets the field itself. */
function derivedBy(
  field: string,
  { attribute, values }: NonNullable<FieldBase['valueBy']>,
): Derive {
  return (given, _, derived) => {
    const option = derived[attribute];
    const isGiven = given[field] !== undefined && given[field] !== null;
    if (isGiven || typeof option !== 'string' || !Object.hasOwn(values, option)) return null;
    return { [field]: values[option] ?? null };
  };
}

/** Compiles the derivations that field types imply: values computed from other fields. */
export function compileFollowing({ fields, attribute }: EntityModel): readonly Derive[] {
  return [...fields].flatMap(
    ([field, one]) => fieldTypeOf(one).deriveFromOthers?.(field, one, attribute) ?? [],
  );
}
