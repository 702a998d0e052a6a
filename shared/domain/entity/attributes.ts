import type { FieldDefinition } from './entity-definition.ts';

/** What a value looks like in JSON and which column type holds it. */
export type AttributeKind =
  | 'string'
  | 'bool'
  | 'int'
  | 'float'
  | 'date'
  | 'datetime'
  | 'strings'
  | 'json';

export interface Attribute {
  readonly name: string;
  readonly field: string;
  readonly kind: AttributeKind;
  /** Has a column in the read model. */
  readonly stored: boolean;
  /** A client may send it. Companions such as `accountName` are set by Annals. */
  readonly writable: boolean;
  /** Answered by single reads only, unless a list asks for it by `select`. */
  readonly singleReadOnly: boolean;
  /** The link whose other side gives this value, for `accountName`, `teamsNames` and foreign fields. */
  readonly through?: {
    readonly link: string;
    readonly idAttribute: string;
    readonly entityType: string;
    readonly attribute: string;
  };
}

interface Part {
  readonly suffix: string;
  readonly kind: AttributeKind;
  readonly options?: Partial<Pick<Attribute, 'stored' | 'writable' | 'singleReadOnly' | 'through'>>;
}

/** The attributes of a field, named as on the wire: `x`, `xId`, `xName`, `xStreet` … */
export function attributesOf(field: string, definition: FieldDefinition): readonly Attribute[] {
  return partsOf(field, definition).map(({ suffix, kind, options }) => ({
    name: field + suffix,
    field,
    kind,
    stored: definition.notStored !== true,
    writable: definition.readOnly !== true && definition.notStored !== true,
    singleReadOnly: definition.singleReadOnly === true,
    ...options,
  }));
}

function partsOf(field: string, definition: FieldDefinition): readonly Part[] {
  switch (definition.type) {
    case 'varchar':
    case 'text':
    case 'wysiwyg':
    case 'barcode':
    case 'colorpicker':
    case 'enum':
    case 'url':
    case 'secret':
      return [{ suffix: '', kind: 'string' }];
    case 'personName':
      return [{ suffix: '', kind: 'string', options: { writable: false } }];
    case 'bool':
      return [{ suffix: '', kind: 'bool' }];
    case 'int':
    case 'enumInt':
    case 'autoincrement':
      return [{ suffix: '', kind: 'int' }];
    case 'float':
    case 'enumFloat':
      return [{ suffix: '', kind: 'float' }];
    case 'date':
      return [{ suffix: '', kind: 'date' }];
    case 'datetime':
      return [{ suffix: '', kind: 'datetime' }];
    case 'datetimeOptional':
      return [
        { suffix: '', kind: 'datetime' },
        { suffix: 'Date', kind: 'date' },
      ];
    case 'multiEnum':
    case 'checklist':
    case 'urlMultiple':
    case 'array':
      return [{ suffix: '', kind: 'strings' }];
    case 'jsonObject':
    case 'jsonArray':
      return [{ suffix: '', kind: 'json' }];
    case 'email':
    case 'phone':
      return [
        { suffix: '', kind: 'string' },
        { suffix: 'Data', kind: 'json', options: { singleReadOnly: true } },
        { suffix: 'IsOptedOut', kind: 'bool' },
        { suffix: 'IsInvalid', kind: 'bool' },
      ];
    case 'address':
      return ['Street', 'City', 'State', 'Country', 'PostalCode'].map((suffix) => ({
        suffix,
        kind: 'string' as const,
      }));
    case 'currency':
      return [
        { suffix: '', kind: 'float' },
        { suffix: 'Currency', kind: 'string' },
        { suffix: 'Converted', kind: 'float', options: { writable: false } },
      ];
    case 'link':
      return [
        { suffix: 'Id', kind: 'string' },
        { suffix: 'Name', kind: 'string', options: companion(field, `${field}Id`, definition) },
      ];
    case 'linkMultiple':
      return [
        { suffix: 'Ids', kind: 'strings' },
        { suffix: 'Names', kind: 'json', options: companion(field, `${field}Ids`, definition) },
      ];
    case 'linkParent':
      return [
        { suffix: 'Id', kind: 'string' },
        { suffix: 'Type', kind: 'string' },
        // Kept as it was when it was linked: parents of several types are in several tables.
        { suffix: 'Name', kind: 'string', options: { writable: false } },
      ];
    case 'foreign':
      return [{ suffix: '', kind: 'string', options: foreign(definition) }];
  }
}

function companion(link: string, idAttribute: string, definition: FieldDefinition) {
  const entityType = definition.entityType ?? '';
  return {
    stored: false,
    writable: false,
    through: { link, idAttribute, entityType, attribute: 'name' },
  };
}

/** `entityType` of a foreign field repeats that of its link, so that a definition can be read field by field. */
function foreign(definition: FieldDefinition) {
  const link = definition.link ?? '';
  return {
    stored: false,
    writable: false,
    through: {
      link,
      idAttribute: `${link}Id`,
      entityType: definition.entityType ?? '',
      attribute: definition.attribute ?? 'name',
    },
  };
}
