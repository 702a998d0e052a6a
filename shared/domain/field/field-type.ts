import type { AttributeValues } from '../record/attribute-values.ts';
import type { Attribute } from './attribute.ts';
import type { AttributeRule, ReadAttribute } from './attribute-rule.ts';
import type { FieldBase } from './field-base.ts';
import type { ContactGroup } from './types/contact/settle-group.ts';
import type { CurrencyAttributes } from './types/money/settle-currency.ts';

/**
 * All that Annals knows of a type of fields, one file per type under types/. What is absent is not so. Methods take the
 * definition of a field of this type; `field` is its name.
 */
export interface FieldType<Definition extends FieldBase = FieldBase> {
  readonly name: Definition['type'];
  /** Administrators may create fields of it. Links are made in a way of their own, foreign fields need one. */
  readonly isCreatable?: boolean;
  /** Shown to nobody but by the code that knows to whom. */
  readonly isSecret?: boolean;
  /** A value tells one record from others: a copy begins without it, many records are not given the same one. */
  readonly isIdentifying?: boolean;

  parts(field: string, definition: Definition): readonly Part[];
  /** How a client's value for an attribute is read, compiled once; absent where clients have no say. */
  compileReader?(rule: AttributeRule, definition: Definition): ReadAttribute;
  /** Endings of the attributes of which one must have a value for the field to count as given; absent: its own name. */
  readonly carriers?: readonly string[];
  /** The fields that its value is put together from. */
  composedOf?(field: string): readonly string[];
  /** The attributes that its value is worked out from beside that. */
  sources?(definition: Definition): readonly (string | undefined)[];

  /** What follows for its attributes from those of the same field. */
  derive?(field: string, definition: Definition): readonly Derive[];
  /** What follows from other fields, and for them; asked when these are derived. */
  deriveFromOthers?(
    field: string,
    definition: Definition,
    attributes: ReadonlyMap<string, Attribute>,
  ): Derive | undefined;
  /** Counted by Annals: what a record shows of its number. */
  showNumber?(definition: Definition, number: number): string | number;
  /** Amounts of money, which are worth something in the default currency. */
  amounts?(field: string): readonly CurrencyAttributes[];
  /** A list of addresses or numbers, of which one is primary. */
  group?(field: string, definition: Definition): ContactGroup;
  /** JSON Schema of an entry of the group, and the name that it goes by. */
  readonly entrySchema?: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
  };

  /** What a link looks like from the records that hold it. */
  readonly relation?: 'belongsTo' | 'belongsToParent' | 'hasMany' | 'hasOne';
  /** The entity types of the records whose ids the field holds. */
  linkedTypes?(definition: Definition): readonly string[];
  /** Its ids are those of uploaded files. */
  readonly holdsFiles?: { readonly isMany: boolean; readonly onlyImages: boolean };

  /** How a search by text looks at it; one without cannot be among the searched fields. */
  readonly search?: 'beginning' | 'digits' | 'longText' | 'number';
  /** Lists cut it where it is long. */
  readonly isLongText?: boolean;
  /** Lists of an entity type cannot be in its order by default. */
  readonly isUnordered?: boolean;
  /** Endings of the attributes that a list in its order is sorted by; absent: the field's own. */
  readonly sortedBy?: readonly string[];
  /** The order of values is that of the options. */
  readonly isSortedByOptions?: boolean;

  /** Where a screen shows it: nowhere, or with the record but not in lists. */
  readonly layout?: 'hidden' | 'detail';
  /** Fields that are shown as parts of it. */
  shownWithin?(field: string): readonly string[];
  /** What clients call the options. */
  readonly optionsName?: 'typeList';
  /** Settings in the words of clients, in place of Annals' own. */
  describe?(definition: Definition): Readonly<Record<string, unknown>>;
}

/** An attribute before it has a name: the field's own, between a prefix and an ending. */
export interface Part extends Partial<Omit<Attribute, 'field' | 'isSecret' | 'kind' | 'name'>> {
  readonly kind: Attribute['kind'];
  /** `from` makes `fromAge` out of `age`. */
  readonly prefix?: string;
  readonly suffix?: string;
}

/** What follows for attributes from the given ones; null if none of these was given. */
export type Derive = (
  given: AttributeValues,
  current: AttributeValues | null,
  /** What is to be written as far as it is known: the given values, defaults, and what was derived before. */
  settled: AttributeValues,
) => AttributeValues | null;
