import type { FieldDefinition, FieldType } from './entity-definition.ts';

/** What a value looks like in JSON and which column type holds it. */
export type AttributeKind =
  | 'string'
  | 'bool'
  | 'int'
  | 'float'
  /** Exact, four digits after the point; text on the wire. */
  | 'decimal'
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
  /** json: an object by keys, `{}` where there is none; others are lists or null. */
  readonly isMap?: boolean;
  /** The link whose other side gives this value, for `accountName`, `teamsNames` and foreign fields. */
  readonly through?: {
    readonly link: string;
    readonly idAttribute: string;
    readonly entityType: string;
    readonly attribute: string;
  };
  /** The name of a parent, which is a record of one of several types. */
  readonly parent?: {
    readonly idAttribute: string;
    readonly typeAttribute: string;
    readonly entityTypes: readonly string[];
  };
}

interface Part {
  /** `from` makes `fromAge` out of `age`. */
  readonly prefix?: string;
  readonly suffix: string;
  readonly kind: AttributeKind;
  readonly options?: Partial<
    Pick<Attribute, 'stored' | 'writable' | 'singleReadOnly' | 'through' | 'parent' | 'isMap'>
  >;
}

/** The attributes of a field, named as on the wire: `x`, `xId`, `xName`, `xStreet` … */
export function attributesOf(field: string, definition: FieldDefinition): readonly Attribute[] {
  return partsOf(field, definition).map(({ prefix, suffix, kind, options }) => ({
    name: (prefix === undefined ? field : prefix + capitalized(field)) + suffix,
    field,
    kind,
    stored: definition.notStored !== true,
    writable: definition.readOnly !== true && definition.notStored !== true,
    singleReadOnly: definition.singleReadOnly === true,
    ...options,
  }));
}

function partsOf(field: string, definition: FieldDefinition): readonly Part[] {
  const parts = partsByType[definition.type];
  return typeof parts === 'string' ? [{ suffix: '', kind: parts }] : parts(field, definition);
}

type Parts = (field: string, definition: FieldDefinition) => readonly Part[];

/** The kind of the only attribute, named as the field, or how several are made. */
const partsByType: Readonly<Record<FieldType, AttributeKind | Parts>> = {
  varchar: 'string',
  text: 'string',
  wysiwyg: 'string',
  barcode: 'string',
  colorpicker: 'string',
  enum: 'string',
  url: 'string',
  secret: 'string',
  number: () => derived('string'),
  personName: () => derived('string'),
  bool: 'bool',
  int: 'int',
  enumInt: 'int',
  duration: 'int',
  autoincrement: 'int',
  float: 'float',
  enumFloat: 'float',
  decimal: 'decimal',
  date: 'date',
  datetime: 'datetime',
  datetimeOptional: () => [
    { suffix: '', kind: 'datetime' },
    { suffix: 'Date', kind: 'date' },
  ],
  multiEnum: 'strings',
  checklist: 'strings',
  urlMultiple: 'strings',
  array: 'strings',
  jsonObject: 'json',
  jsonArray: 'json',
  email: groupParts,
  phone: groupParts,
  address: () =>
    ['Street', 'City', 'State', 'Country', 'PostalCode'].map((suffix) => ({
      suffix,
      kind: 'string',
    })),
  currency: moneyParts,
  currencyConverted: () => derived('float'),
  rangeInt: () => rangeOf([{ suffix: '', kind: 'int' }]),
  rangeFloat: () => rangeOf([{ suffix: '', kind: 'float' }]),
  rangeCurrency: () => rangeOf(moneyParts()),
  link: (field, definition) => [
    { suffix: 'Id', kind: 'string' },
    { suffix: 'Name', kind: 'string', options: companion(field, `${field}Id`, definition) },
  ],
  linkOne: (field, definition) => [
    { suffix: 'Id', kind: 'string', options: { writable: false } },
    { suffix: 'Name', kind: 'string', options: companion(field, `${field}Id`, definition) },
  ],
  linkMultiple: linkMultipleParts,
  file: fileParts,
  image: fileParts,
  attachmentMultiple: (field) => [
    { suffix: 'Ids', kind: 'strings' },
    { suffix: 'Names', kind: 'json', options: ofFile(field, 'Ids', 'name') },
    { suffix: 'Types', kind: 'json', options: ofFile(field, 'Ids', 'type') },
  ],
  linkParent: (field, { entityList }) => [
    { suffix: 'Id', kind: 'string' },
    { suffix: 'Type', kind: 'string' },
    { suffix: 'Name', kind: 'string', options: parentName(field, entityList ?? []) },
  ],
  foreign: (_, definition) => [
    { suffix: '', kind: definition.attributeKind ?? 'string', options: foreign(definition) },
  ],
};

/** Every type that a field may have. */
export const fieldTypes: readonly string[] = Object.keys(partsByType);

/** Made by Annals out of other fields, or counted. */
function derived(kind: AttributeKind): readonly Part[] {
  return [{ suffix: '', kind, options: { writable: false } }];
}

function groupParts(): readonly Part[] {
  return [
    { suffix: '', kind: 'string' },
    { suffix: 'Data', kind: 'json', options: { singleReadOnly: true } },
    { suffix: 'IsOptedOut', kind: 'bool' },
    { suffix: 'IsInvalid', kind: 'bool' },
  ];
}

function linkMultipleParts(field: string, definition: FieldDefinition): readonly Part[] {
  return [
    { suffix: 'Ids', kind: 'strings' },
    { suffix: 'Names', kind: 'json', options: companion(field, `${field}Ids`, definition) },
    ...(definition.columns === undefined
      ? []
      : [{ suffix: 'Columns', kind: 'json' as const, options: { isMap: true } }]),
  ];
}

function fileParts(field: string): readonly Part[] {
  return [
    { suffix: 'Id', kind: 'string' },
    { suffix: 'Name', kind: 'string', options: ofFile(field, 'Id', 'name') },
  ];
}

/** What is told of the files themselves beside their ids. */
function ofFile(field: string, suffix: 'Id' | 'Ids', attribute: 'name' | 'type') {
  const idAttribute = field + suffix;
  const through = { link: field, idAttribute, entityType: 'Attachment', attribute };
  return { stored: false, writable: false, through };
}

function moneyParts(): readonly Part[] {
  return [
    { suffix: '', kind: 'float' },
    { suffix: 'Currency', kind: 'string' },
    { suffix: 'Converted', kind: 'float', options: { writable: false } },
  ];
}

function rangeOf(parts: readonly Part[]): readonly Part[] {
  return ['from', 'to'].flatMap((prefix) => parts.map((part) => ({ ...part, prefix })));
}

/** `age` → `Age`, as in `fromAge`. */
export function capitalized(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}

function companion(link: string, idAttribute: string, definition: FieldDefinition) {
  const entityType = definition.entityType ?? '';
  return {
    stored: false,
    writable: false,
    through: { link, idAttribute, entityType, attribute: 'name' },
  };
}

function parentName(field: string, entityTypes: readonly string[]) {
  const parent = { idAttribute: `${field}Id`, typeAttribute: `${field}Type`, entityTypes };
  return { stored: false, writable: false, parent };
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
