import type { FieldDefinition, FieldType } from '../entity/entity-definition.ts';
import type { EntityModel } from '../entity/entity-model.ts';
import type { FieldProblem } from '../errors.ts';
import type { AttributeValue, AttributeValues } from '../record/attribute-values.ts';
import { namePersonAttributes } from './settle-person-name.ts';

/** `field` is missing if none of `attributes` has a value; it is looked for only if one of `watched` is touched. */
export interface Requirement {
  readonly field: string;
  /** Any of these, given, would have met it. */
  readonly fields: readonly string[];
  readonly attributes: readonly string[];
  readonly watched: readonly string[];
}

/** In field order. `lookUp` answers the value that an attribute would have after the write. */
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

/** A read-only field cannot be asked of a client; a person's name is made of fields that can. */
function isForClients(definition: FieldDefinition): boolean {
  return definition.type === 'personName' || definition.readOnly !== true;
}

/** The attributes of which one must have a value for the field to count as given. */
function carriersOf(field: string, definition: FieldDefinition | undefined): readonly string[] {
  const suffixes = carriersByType[definition?.type ?? 'varchar'];
  return suffixes === undefined ? [field] : suffixes.map((suffix) => field + suffix);
}

/** Endings of the attributes; a type that is not here has one attribute, of the field's own name. */
const carriersByType: Readonly<Partial<Record<FieldType, readonly string[]>>> = {
  link: ['Id'],
  linkParent: ['Id'],
  file: ['Id'],
  image: ['Id'],
  linkMultiple: ['Ids'],
  attachmentMultiple: ['Ids'],
  datetimeOptional: ['', 'Date'],
  address: ['Street', 'City', 'State', 'Country', 'PostalCode'],
};

/** The fields that a field is put together from. */
function partsOf(field: string, definition: FieldDefinition | undefined): readonly string[] {
  if (definition?.type !== 'personName') return [];
  const { first, last } = namePersonAttributes(field);
  return [first, last];
}
