import type { FieldDefinition } from '../entity/entity-definition.ts';
import type { EntityModel } from '../entity/entity-model.ts';
import type { FieldProblem } from '../errors.ts';
import type { AttributeValue, AttributeValues } from '../record/attribute-values.ts';

/** `field` is missing if none of `attributes` has a value; an update looks only if it touches one of `watched`. */
export interface Requirement {
  readonly field: string;
  readonly attributes: readonly string[];
  readonly watched: readonly string[];
}

/** In field order. `valueOf` answers the value that an attribute would have after the write. */
export function findMissingFields(
  requirements: readonly Requirement[],
  touched: AttributeValues | null,
  valueOf: (attribute: string) => AttributeValue | undefined,
): readonly FieldProblem[] {
  return requirements
    .filter(
      ({ attributes, watched }) =>
        (touched === null || watched.some((attribute) => Object.hasOwn(touched, attribute))) &&
        !attributes.some((attribute) => isGiven(valueOf(attribute))),
    )
    .map(({ field }) => ({ field, type: 'required', message: `${field} is required.` }));
}

function isGiven(value: AttributeValue | undefined): boolean {
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
    const attributes = carriersOf(field, definition);
    if (field === 'name' && unless !== undefined) {
      const either = [...attributes, ...unless.flatMap((name) => carriersOfField(model, name))];
      return [{ field, attributes: either, watched: watchedBy(model, field, either) }];
    }
    return definition.required === true && isForClients(definition)
      ? [{ field, attributes, watched: watchedBy(model, field, attributes) }]
      : [];
  });
}

/** A read-only field cannot be asked of a client; a person's name is made of fields that can. */
function isForClients(definition: FieldDefinition): boolean {
  return definition.type === 'personName' || definition.readOnly !== true;
}

/** The attributes of which one must have a value for the field to count as given. */
function carriersOf(field: string, { type }: FieldDefinition): readonly string[] {
  if (type === 'link') return [`${field}Id`];
  if (type === 'linkMultiple') return [`${field}Ids`];
  if (type === 'address') {
    return ['Street', 'City', 'State', 'Country', 'PostalCode'].map((part) => field + part);
  }
  return [field];
}

function carriersOfField(model: EntityModel, field: string): readonly string[] {
  const definition = model.fields.get(field);
  return definition === undefined ? [] : carriersOf(field, definition);
}

/** Settling keeps an e-mail address and its list, a name and its parts in step, so the carriers show every change. */
function watchedBy(
  model: EntityModel,
  field: string,
  carriers: readonly string[],
): readonly string[] {
  const own = model.attributes.filter((attribute) => attribute.field === field);
  return [...new Set([...own.map(({ name }) => name), ...carriers])];
}
