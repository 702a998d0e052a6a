import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isFileField } from '../../../shared/domain/entity/model/file-field.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import type { FieldDefinition } from '../../../shared/domain/field/field-definition.ts';
import { fieldTypeOf, fieldTypes } from '../../../shared/domain/field/field-types.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';

/** The JSON Schema of an attribute's values in answers; `readOnly` if clients cannot set it. */
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
      return { type: ['string', 'null'], pattern: '^-?\\d+\\.\\d{4}$', examples: ['10.2000'] };
    case 'date':
      return { type: ['string', 'null'], format: 'date' };
    case 'datetime':
      return { type: ['string', 'null'], pattern: dateTimePattern };
    case 'strings':
      return listSchema(definition);
    case 'json':
      return jsonSchema(attribute, definition);
  }
}

/** `2030-01-31 10:00:00`. It is no RFC 3339 time, so `format` cannot describe it. */
const dateTimePattern = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$';

function textSchema({ name, field, through }: Attribute, definition: FieldDefinition): Part {
  const { maxLength, pattern } = definition;
  const text = { type: ['string', 'null'] };
  if (through !== undefined || name !== field) return text;
  return {
    ...text,
    ...(maxLength === undefined ? {} : { maxLength }),
    // The form in which clients write values; phone numbers and the like are stored in another form.
    ...(pattern === undefined ? {} : { pattern: `^(?:${pattern})$` }),
  };
}

function rangeOf({ min, max }: FieldDefinition): Part {
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

function listSchema(definition: FieldDefinition): Part {
  const { options, allowCustomOptions, maxCount, maxItemLength } = definition;
  return {
    type: 'array',
    items: {
      type: 'string',
      ...(options === undefined || allowCustomOptions === true ? {} : { enum: options }),
      ...(maxItemLength === undefined ? {} : { maxLength: maxItemLength }),
    },
    ...(maxCount === undefined ? {} : { maxItems: maxCount }),
  };
}

function jsonSchema({ through, isMap }: Attribute, definition: FieldDefinition): Part {
  if (through !== undefined) {
    return { type: 'object', additionalProperties: { type: ['string', 'null'] } };
  }
  if (isMap) {
    return { type: 'object', additionalProperties: { type: 'object' } };
  }
  const { maxCount } = definition;
  const entry = fieldTypeOf(definition).entrySchema;
  return {
    type: 'array',
    ...(entry === undefined ? {} : { items: refer('schemas', entry.name) }),
    ...(maxCount === undefined ? {} : { maxItems: maxCount }),
  };
}

/** For people, if the name is not enough. */
function describe(attribute: Attribute, definition: FieldDefinition): string | undefined {
  const { kind, link, through, parent } = attribute;
  const { label, entityType } = definition;
  if (parent !== undefined) return 'Name of the record that the parent is.';
  if (through !== undefined) {
    const what = `${through.attribute}${ofType(through.entityType)}`;
    return kind === 'json' ? `By id: ${what}.` : `From the other side of the link: ${what}.`;
  }
  if (isFileField(definition)) return 'What its upload answered as id.';
  if (link === 'id' && entityType !== undefined) return `Id of a record of ${entityType}.`;
  if (link === 'ids') return `Ids of records${ofType(entityType)}.`;
  if (attribute.isMap) return 'By id: values that belong to the link.';
  if (kind === 'datetime') return withLabel(label, 'In UTC.');
  return label;
}

/** Empty if the type must not be named. */
function ofType(entityType = ''): string {
  return entityType === '' ? '' : ` of ${entityType}`;
}

function withLabel(label: string | undefined, text: string): string {
  return label === undefined ? text : `${label}. ${text}`;
}

/** Schemas of list entries, by name: `emailAddressData`, `phoneNumberData`. */
export const groupEntrySchemas: Readonly<Record<string, Part>> = Object.fromEntries(
  fieldTypes.flatMap(({ entrySchema }) =>
    entrySchema === undefined ? [] : [[entrySchema.name, entrySchema.schema] as const],
  ),
);
