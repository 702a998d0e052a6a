import type { AttributeValues } from '../value/attribute-values.ts';
import type { Attribute } from './attribute.ts';
import type { AttributeRule, ReadAttribute } from './attribute-rule.ts';
import type { FieldBase } from './field-base.ts';
import type { ContactGroup } from './types/contact/derive-group.ts';
import type { CurrencyAttributes } from './types/money/derive-currency.ts';

/**
 * Everything specific to a field type; each type has a file under types/. Absent flags mean false. Methods take the
 * definition of a field of this type; `field` is its name.
 */
export interface FieldType<Definition extends FieldBase = FieldBase> {
  readonly name: Definition['type'];
  /** Administrators can create fields of this type. Links and foreign fields have their own endpoints. */
  readonly isCreatable?: boolean;
  /** Never shown, except by code that itself checks who may see it. */
  readonly isSecret?: boolean;
  /** Its value identifies a record, so copies do not inherit it and mass updates exclude it. */
  readonly isIdentifying?: boolean;

  parts(field: string, definition: Definition): readonly AttributePart[];
  /** Compiles the reader of client values for an attribute; absent if clients cannot set it. */
  compileReader?(rule: AttributeRule, definition: Definition): ReadAttribute;
  /**
   * Suffixes of attributes. The field counts as set if one of them has a value. Defaults to the attribute with the
   * field's name.
   */
  readonly carriers?: readonly string[];
  /** The fields from which its value is composed. */
  composedOf?(field: string): readonly string[];
  /** Further attributes from which its value is derived. */
  sources?(definition: Definition): readonly (string | undefined)[];

  /** Derives attributes from others of the same field. */
  derive?(field: string, definition: Definition): readonly Derive[];
  /**
   * Derives attributes from other fields, or attributes that belong to other fields. Runs after those fields have been
   * derived.
   */
  deriveFromOthers?(
    field: string,
    definition: Definition,
    attributes: ReadonlyMap<string, Attribute>,
  ): Derive | undefined;
  /** For types that Annals numbers: formats the number as shown in records. */
  showNumber?(definition: Definition, number: number): string | number;
  /** For amounts of money, which also have a value in the default currency. */
  amounts?(field: string): readonly CurrencyAttributes[];
  /** For a list of addresses or numbers with one primary entry. */
  group?(field: string, definition: Definition): ContactGroup;
  /** JSON Schema for an entry in the group, and the name of the schema. */
  readonly entrySchema?: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
  };

  /** The relation from the record with the ids to the linked record. */
  readonly relation?: 'belongsTo' | 'belongsToParent' | 'hasMany' | 'hasOne';
  /** Returns the entity types of the records whose ids the field stores. */
  linkedTypes?(definition: Definition): readonly string[];
  /** Set if its ids refer to uploaded files. */
  readonly holdsFiles?: { readonly isMany: boolean; readonly onlyImages: boolean };

  /** How text search matches it. Types without it are not searchable. */
  readonly search?: 'beginning' | 'digits' | 'longText' | 'number';
  /** Lists show only the beginning of its value. */
  readonly isLongText?: boolean;
  /** Lists of an entity type cannot be sorted by it by default. */
  readonly isUnordered?: boolean;
  /** Suffixes of the attributes by which lists are sorted. Defaults to the attribute with the field's name. */
  readonly sortedBy?: readonly string[];
  /** Sorts values in the order of the options. */
  readonly isSortedByOptions?: boolean;

  /** Where layouts show it: not at all, or only in the detail view. Defaults to everywhere. */
  readonly layout?: 'hidden' | 'detail';
  /** Fields that are shown as parts of it. */
  shownWithin?(field: string): readonly string[];
  /** The name of `options` in the API. */
  readonly optionsName?: 'typeList';
  /** Returns additional settings as described by the API; they override Annals' own. */
  describe?(definition: Definition): Readonly<Record<string, unknown>>;
  /** Returns the parts that the API describes as separate fields, by name suffix. */
  describeParts?(definition: Definition): Readonly<Record<string, FieldDescription>>;
}

/** A field as described by the API. */
export interface FieldDescription extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

/** An attribute without its name, which is composed of prefix, field name and suffix. */
export interface AttributePart
  extends Partial<Omit<Attribute, 'field' | 'isSecret' | 'kind' | 'name'>> {
  readonly kind: Attribute['kind'];
  /** `from` turns `age` into `fromAge`. */
  readonly prefix?: string;
  readonly suffix?: string;
}

/** Derives attributes from the new values; returns null if none of them is relevant. */
export type Derive = (
  given: AttributeValues,
  current: AttributeValues | null,
  /** The values to be written that are known so far: new values, defaults, and previously derived values. */
  derived: AttributeValues,
) => AttributeValues | null;
