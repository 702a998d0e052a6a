import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isFileField } from '../../../shared/domain/entity/model/file-field.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import {
  type FieldDefinition,
  fieldTypeOf,
  fieldTypes,
} from '../../../shared/domain/field/field-types.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { nullableText } from '../../../shared/http/describe/schemas.ts';

/** Returns the JSON Schema of an attribute's values in responses; `readOnly` if clients cannot set it. */
export function attributeSchema(model: EntityModel, attribute: Attribute): Part {
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

/** `2030-01-31 10:00:00`. This differs from the times of RFC 3339, so `format` cannot describe it. */
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

/** Returns a description for people, if the name is not clear enough. */
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

/** Returns an empty text if the type must not be named. */
function ofType(entityType = ''): string {
  return entityType === '' ? '' : ` of ${entityType}`;
}

/** Schemas of list entries, by name: `emailAddressData`, `phoneNumberData`. */
export const groupEntrySchemas: Readonly<Record<string, Part>> = Object.fromEntries(
  fieldTypes
    .flatMap(({ entrySchema }) => entrySchema ?? [])
    .map(({ name, schema }) => [name, schema]),
);
