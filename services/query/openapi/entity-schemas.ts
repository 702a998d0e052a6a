import { openedFor } from '../../../shared/domain/access/opened-for.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isFileField } from '../../../shared/domain/entity/model/file-field.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import {
  type FieldDefinition,
  fieldTypeOf,
  fieldTypes,
} from '../../../shared/domain/field/field-types.ts';
import { exampleId } from '../../../shared/domain/field/types/link/linked-name.ts';
import { deriveValues } from '../../../shared/domain/input/derive-values.ts';
import { fieldPlanOf } from '../../../shared/domain/input/field-plan.ts';
import { isGiven } from '../../../shared/domain/input/find-missing-fields.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { reactionTypes } from '../../../shared/domain/stream/post-marks.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import { mapParts, type Part, refer } from '../../../shared/http/describe/part.ts';
import { nullableText, text } from '../../../shared/http/describe/schemas.ts';

/**
 * Returns the two schemas of an entity type: `Account` for responses and updates, and `Account_create` for creations,
 * with the required fields.
 */
export function entitySchemas(model: EntityModel, hasCreation: boolean): Part {
  const { name } = model;
  return {
    [name]: recordSchema(model),
    ...(hasCreation ? { [`${name}_create`]: creationSchema(model) } : {}),
  };
}

function recordSchema(model: EntityModel): Part {
  const { attributes, definition } = model;
  const shown = attributes.filter((attribute) => isShown(model, attribute));
  const version = { type: 'integer', minimum: 1, readOnly: true };
  return {
    type: 'object',
    description: recordDescription(model),
    // Requires only the id, because lists with `select` omit the other attributes.
    required: ['id'],
    properties: {
      id: { type: 'string', readOnly: true, examples: [exampleId] },
      deleted: { type: 'boolean', readOnly: true },
      ...schemasOf(model, shown),
      ...(definition.hasVersionNumber === true ? { versionNumber: version } : {}),
      ...definition.sentProperties,
      ...(definition.hasStream === true ? followingSchemas : {}),
      ...(definition.isPost === true ? postMarks : {}),
      ...definition.answeredProperties,
    },
  };
}

/** Included in single reads, in addition to `isFollowed`. */
const followingSchemas: Part = {
  isStarred: { type: 'boolean', readOnly: true },
  followersIds: { type: 'array', items: text, maxItems: 6, readOnly: true },
  followersNames: { type: 'object', additionalProperties: nullableText, readOnly: true },
};

/** Included in single reads of a post, and in streams. */
export const postMarks: Part = {
  isPinned: { type: 'boolean', readOnly: true },
  reactionCounts: {
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 1 },
    description: 'The number of users who reacted to the post, by type of reaction.',
    readOnly: true,
  },
  myReactions: { type: 'array', items: { enum: reactionTypes }, readOnly: true },
};

function recordDescription({ name, definition }: EntityModel): string {
  const kind = definition.isCustom === true ? 'a custom entity type' : 'an entity type';
  return `A record of ${name}, ${kind}. Read-only attributes are ignored in requests.`;
}

/** Omits secrets, unless some users may see them in clear text. */
function isShown(model: EntityModel, attribute: Attribute): boolean {
  if (!attribute.isSecret) return true;
  // Responses contain it as an object under another name.
  if (model.definition.opensSecrets?.objects?.[attribute.name] !== undefined) return false;
  return openedFor({ type: 'admin' }, model).includes(attribute.name);
}

function creationSchema(model: EntityModel): Part {
  const writable = model.attributes.filter(({ writable }) => writable);
  const example = exampleOf(model);
  return {
    type: 'object',
    ...requiredOf(model),
    properties: {
      ...mapParts(schemasOf(model, writable), withoutReadOnly),
      ...model.definition.sentProperties,
    },
    examples: example && [example],
  };
}

/** For attributes that clients can set only on creation. */
function withoutReadOnly({ readOnly: _, ...schema }: Part): Part {
  return schema;
}

function schemasOf(model: EntityModel, attributes: readonly Attribute[]): Record<string, Part> {
  return Object.fromEntries(
    attributes.map((attribute) => [attribute.name, attributeSchema(model, attribute)]),
  );
}

/** Returns the required fields, by the same rules as validation. */
function requiredOf(model: EntityModel): Part {
  const choices = requiredChoices(model);
  const single = choices.filter((choice) => choice.length === 1).flat();
  const others = choices.filter((choice) => choice.length > 1);
  return {
    ...(single.length === 0 ? {} : { required: single }),
    ...(others.length === 0 ? {} : { allOf: others.map(oneOfThese) }),
  };
}

function oneOfThese(names: readonly string[]): Part {
  return { anyOf: names.map((name) => ({ required: [name] })) };
}

/** Returns lists of attributes. A creation needs at least one attribute from each list. */
export function requiredChoices(model: EntityModel): readonly (readonly string[])[] {
  const { defaults, requirements } = fieldPlanOf(model);
  return requirements
    .filter(({ attributes }) => !attributes.some((name) => isGiven(defaults[name])))
    .map(({ field, attributes }) => [
      ...attributes.filter((name) => model.attribute.get(name)?.writable === true),
      ...durationsUpTo(model, field),
    ])
    .filter((choice) => choice.length > 0 && !isFilledIn(model, choice));
}

/** Returns the durations that, together with a start, determine this end. */
function durationsUpTo({ fields }: EntityModel, end: string): readonly string[] {
  return [...fields].flatMap(([name, field]) => (field.end === end ? [name] : []));
}

function isFilledIn({ definition }: EntityModel, choice: readonly string[]): boolean {
  return definition.filledIn?.some((name) => choice.includes(name)) === true;
}

/** Optional fields to show in examples, if the entity type has them. */
const illustrativeFields: ReadonlySet<string> = new Set([
  'name',
  'firstName',
  'emailAddress',
  'phoneNumber',
  'website',
  'status',
  'stage',
  'type',
]);

/**
 * Returns a body that creates a record, generated from the definitions; undefined if no valid value can be generated
 * for a required field.
 */
export function exampleOf(
  model: EntityModel,
): Readonly<Record<string, AttributeValue>> | undefined {
  const needed = new Set(fieldPlanOf(model).requirements.map(({ field }) => field));
  const body = Object.fromEntries(
    model.attributes
      .filter(
        ({ writable, field }) => writable && (needed.has(field) || illustrativeFields.has(field)),
      )
      .flatMap(({ name, example }) => {
        const value = byName[name] ?? example;
        return value === undefined ? [] : [[name, value]];
      }),
  );
  const { values, problems } = readInput(model, body, 'create');
  const isFit = problems.length + deriveValues(model, null, values).problems.length === 0;
  return isFit ? body : undefined;
}

const byName: Readonly<Record<string, AttributeValue>> = {
  firstName: 'Ann',
  lastName: 'Ray',
  userName: 'integration1',
  event: 'Account.update',
  url: 'https://example.org/hook',
  dateEnd: '2030-01-31 11:00:00',
};

/** Returns the JSON Schema of an attribute's values in responses; `readOnly` if clients cannot set it. */
function attributeSchema(model: EntityModel, attribute: Attribute): Part {
  const definition = model.fields.get(attribute.field);
  if (definition === undefined) return {};
  const description = describe(attribute, definition);
  const isFixed = !attribute.writable || definition.readOnlyAfterCreate === true;
  return {
    ...valueSchema(attribute, definition),
    ...(description === undefined ? {} : { description }),
    ...(isFixed ? { readOnly: true } : {}),
  };
}

function valueSchema(attribute: Attribute, definition: FieldDefinition): Part {
  if (attribute.schema !== undefined) return attribute.schema;
  switch (attribute.kind) {
    case 'string':
      return textSchema(attribute, definition);
    case 'bool':
      return { type: attribute.through === undefined ? 'boolean' : ['boolean', 'null'] };
    case 'int':
      return { type: ['integer', 'null'], ...rangeOf(definition) };
    case 'float':
      return { type: ['number', 'null'], ...rangeOf(definition) };
    case 'decimal':
      return { ...nullableText, pattern: '^-?\\d+\\.\\d{4}$', examples: ['10.2000'] };
    case 'date':
      return { ...nullableText, format: 'date' };
    case 'datetime':
      return { ...nullableText, pattern: dateTimePattern };
    case 'strings':
      return listSchema(definition);
    case 'json':
      return jsonSchema(attribute, definition);
  }
}

/** Matches `2030-01-31 10:00:00`. This is not an RFC 3339 time, so `format` cannot describe it. */
const dateTimePattern = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$';

function textSchema({ name, field, through }: Attribute, definition: FieldDefinition): Part {
  const { maxLength, pattern } = definition;
  if (through !== undefined || name !== field) return nullableText;
  // The form in which clients write values. Phone numbers and some other values are stored in another form.
  const written = pattern === undefined ? undefined : `^(?:${pattern})$`;
  return { ...nullableText, maxLength, pattern: written };
}

function rangeOf({ min, max }: FieldDefinition): Part {
  return { minimum: min, maximum: max };
}

function listSchema(definition: FieldDefinition): Part {
  const { options, allowCustomOptions, maxCount, maxItemLength } = definition;
  return {
    type: 'array',
    items: {
      type: 'string',
      enum: allowCustomOptions === true ? undefined : options,
      maxLength: maxItemLength,
    },
    maxItems: maxCount,
  };
}

function jsonSchema({ through, isMap }: Attribute, definition: FieldDefinition): Part {
  if (through !== undefined) return { type: 'object', additionalProperties: nullableText };
  if (isMap) return { type: 'object', additionalProperties: { type: 'object' } };
  const entry = fieldTypeOf(definition).entrySchema;
  return {
    type: 'array',
    items: entry && refer('schemas', entry.name),
    maxItems: definition.maxCount,
  };
}

/** Returns a description for human readers if the name is not clear enough. */
function describe(attribute: Attribute, definition: FieldDefinition): string | undefined {
  const { kind, link, through, parent } = attribute;
  const { label, entityType } = definition;
  if (parent !== undefined) return 'Name of the parent record.';
  if (through !== undefined) {
    const what = `${through.attribute}${ofType(through.entityType)}`;
    return kind === 'json' ? `By id: ${what}.` : `From the other side of the link: ${what}.`;
  }
  if (isFileField(definition)) return 'The id that the upload of the file returned.';
  if (link === 'id' && entityType !== undefined) return `Id of a record of ${entityType}.`;
  if (link === 'ids') return `Ids of records${ofType(entityType)}.`;
  if (attribute.isMap) return 'By id: the columns of the link.';
  if (kind !== 'datetime') return label;
  return label === undefined ? 'In UTC.' : `${label}. In UTC.`;
}

/** Returns an empty string if the type must not be named. */
function ofType(entityType = ''): string {
  return entityType === '' ? '' : ` of ${entityType}`;
}

/** Schemas of list entries, by name: `emailAddressData`, `phoneNumberData`. */
export const groupEntrySchemas: Readonly<Record<string, Part>> = Object.fromEntries(
  fieldTypes
    .flatMap(({ entrySchema }) => entrySchema ?? [])
    .map(({ name, schema }) => [name, schema]),
);
