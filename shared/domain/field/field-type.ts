import type { AttributeValues } from '../value/attribute-values.ts';
import type { Attribute } from './attribute.ts';
import type { AttributeRule, ReadAttribute } from './attribute-rule.ts';
import type { FieldBase } from './field-base.ts';
import type { ContactGroup } from './types/contact/derive-group.ts';
import type { CurrencyAttributes } from './types/money/derive-currency.ts';

/**
 * Everything that is specific to a type of field, one file per type under types/. Absent properties mean no. Methods
 * take the definition of a field of this type; `field` is its name.
 */
export interface FieldType<Definition extends FieldBase = FieldBase> {
  readonly name: Definition['type'];
  /** Administrators can create fields of it. Links and foreign fields are created in ways of their own. */
  readonly isCreatable?: boolean;
  /** Never shown, except by code that decides itself who may see it. */
  readonly isSecret?: boolean;
  /** Its value identifies a record: a copy begins without it, and layouts of mass updates leave it out. */
  readonly isIdentifying?: boolean;

  parts(field: string, definition: Definition): readonly AttributePart[];
  /** Compiles how a client's value for an attribute is read; absent if clients cannot set it. */
  compileReader?(rule: AttributeRule, definition: Definition): ReadAttribute;
  /** Endings of the attributes of which one must have a value for the field to count as set; absent: its own name. */
  readonly carriers?: readonly string[];
  /** The fields that its value is composed of. */
  composedOf?(field: string): readonly string[];
  /** Further attributes that its value is derived from. */
  sources?(definition: Definition): readonly (string | undefined)[];

  /** Derives attributes from others of the same field. */
  derive?(field: string, definition: Definition): readonly Derive[];
  /** Derives attributes from other fields, and attributes of other fields; called after these are derived. */
  deriveFromOthers?(
    field: string,
    definition: Definition,
    attributes: ReadonlyMap<string, Attribute>,
  ): Derive | undefined;
  /** For types that Annals counts: how a record shows the number. */
  showNumber?(definition: Definition, number: number): string | number;
  /** For amounts of money, which have a value in the default currency. */
  amounts?(field: string): readonly CurrencyAttributes[];
  /** For a list of addresses or numbers, of which one is primary. */
  group?(field: string, definition: Definition): ContactGroup;
  /** JSON Schema of an entry of the group, and the name of the schema. */
  readonly entrySchema?: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
  };

  /** The relation of the record that holds the link to the other one. */
  readonly relation?: 'belongsTo' | 'belongsToParent' | 'hasMany' | 'hasOne';
  /** The entity types of the records whose ids the field holds. */
  linkedTypes?(definition: Definition): readonly string[];
  /** Its ids are ids of uploaded files. */
  readonly holdsFiles?: { readonly isMany: boolean; readonly onlyImages: boolean };

  /** How a text search looks at it; a type without it cannot be searched. */
  readonly search?: 'beginning' | 'digits' | 'longText' | 'number';
  /** Lists truncate it. */
  readonly isLongText?: boolean;
  /** Lists of an entity type cannot be sorted by it by default. */
  readonly isUnordered?: boolean;
  /** Endings of the attributes that a list is sorted by; absent: the field's own. */
  readonly sortedBy?: readonly string[];
  /** Values are sorted in the order of the options. */
  readonly isSortedByOptions?: boolean;

  /** Where layouts show it: nowhere, or only with a single record. */
  readonly layout?: 'hidden' | 'detail';
  /** Fields that are shown as parts of it. */
  shownWithin?(field: string): readonly string[];
  /** The name of `options` in the API. */
  readonly optionsName?: 'typeList';
  /** The settings as the API describes them, in place of Annals' own. */
  describe?(definition: Definition): Readonly<Record<string, unknown>>;
  /** Its parts that the API describes as fields of their own, by the ending of their names. */
  describeParts?(definition: Definition): Readonly<Record<string, FieldDescription>>;
}

/** A field as the API describes it. */
export interface FieldDescription extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

/** An attribute before it has a name: the field's name, between a prefix and an ending. */
export interface AttributePart
  extends Partial<Omit<Attribute, 'field' | 'isSecret' | 'kind' | 'name'>> {
  readonly kind: Attribute['kind'];
  /** `from` makes `fromAge` of `age`. */
  readonly prefix?: string;
  readonly suffix?: string;
}

/** Derives attributes from the given values; null if none of these was given. */
export type Derive = (
  given: AttributeValues,
  current: AttributeValues | null,
  /** The values to be written as far as they are known: given values, defaults, and values derived before. */
  derived: AttributeValues,
) => AttributeValues | null;
