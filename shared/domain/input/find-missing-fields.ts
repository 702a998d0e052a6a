import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { FieldProblem } from '../errors.ts';
import { type FieldDefinition, fieldTypeOf } from '../field/field-types.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';

/** `field` is missing if none of `attributes` has a value. Checked only if one of `watched` is written. */
export interface Requirement {
  readonly field: string;
  /** The fields that satisfy the requirement. Any one of them is enough. */
  readonly fields: readonly string[];
  readonly attributes: readonly string[];
  readonly watched: readonly string[];
}

/** Returns missing fields in field order. `lookUp` returns the value that an attribute will have after the write. */
export function findMissingFields(
  requirements: readonly Requirement[],
  touched: AttributeValues,
  lookUp: (attribute: string) => AttributeValue | undefined,
): readonly FieldProblem[] {
  return requirements
    .filter(
      ({ attributes, watched }) =>
        watched.some((attribute) => Object.hasOwn(touched, attribute)) &&
        !attributes.some((attribute) => isGiven(lookUp(attribute))),
    )
    .map(({ field }) => ({ field, type: 'required', message: `${field} is required.` }));
}

export function isGiven(value: AttributeValue | undefined): boolean {
  return (
    value !== undefined &&
    value !== null &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0)
  );
}

export function compileRequirements(model: EntityModel): readonly Requirement[] {
  const unless = model.definition.nameRequiredUnless;
  return [...model.fields].flatMap(([field, definition]) => {
    if (field === 'name' && unless !== undefined) {
      return [compileRequirement(model, field, [field, ...unless])];
    }
    return definition.required === true && isForClients(definition)
      ? [compileRequirement(model, field, [field, ...(definition.requiredUnless ?? [])])]
      : [];
  });
}

function compileRequirement(
  model: EntityModel,
  field: string,
  either: readonly string[],
): Requirement {
  return {
    field,
    fields: either.flatMap((name) => [name, ...partsOf(name, model.fields.get(name))]),
    attributes: either.flatMap((name) => carriersOf(name, model.fields.get(name))),
    watched: model.attributes.filter((own) => either.includes(own.field)).map(({ name }) => name),
  };
}

/** True if clients can set the field, or its parts if it is composed. */
function isForClients(definition: FieldDefinition): boolean {
  return definition.readOnly !== true || fieldTypeOf(definition).composedOf !== undefined;
}

/** Returns the attributes of a field. The field counts as set if at least one of them has a value. */
function carriersOf(field: string, definition: FieldDefinition | undefined): readonly string[] {
  const suffixes = definition && fieldTypeOf(definition).carriers;
  return suffixes === undefined ? [field] : suffixes.map((suffix) => field + suffix);
}

/** Returns the fields from which a field is composed. */
function partsOf(field: string, definition: FieldDefinition | undefined): readonly string[] {
  return (definition && fieldTypeOf(definition).composedOf?.(field)) ?? [];
}

/** Reports parents with only an id or only a type. Both must be set together, unless the parent is removed. */
export function findHalfParents(
  model: EntityModel,
  given: AttributeValues,
): readonly FieldProblem[] {
  return parentFields(model).flatMap((field) => {
    const id = given[`${field}Id`];
    const entityType = given[`${field}Type`];
    const isHalf =
      (typeof id === 'string' && entityType === undefined) ||
      (typeof entityType === 'string' && id === undefined);
    if (!isHalf) return [];
    const message = `${field}Id and ${field}Type must be set together.`;
    return [{ field, type: 'valid', parameters: { form: 'parent' }, message }];
  });
}

/** Returns the fields that link to a record of one of several types. */
export const parentFields = perModel(({ attributes }): readonly string[] =>
  attributes.filter(({ parent }) => parent !== undefined).map(({ field }) => field),
);
