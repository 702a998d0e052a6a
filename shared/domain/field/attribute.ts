import type { AttributeValue } from '../value/attribute-values.ts';

/** What a value looks like in JSON, and how it is stored: the read model has a column type for each kind. */
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
  /** Never shown, except by code that decides itself who may see it. */
  readonly isSecret: boolean;
  /** Of kind `json`: an object by keys, `{}` if empty. Other attributes of that kind are lists or null. */
  readonly isMap: boolean;
  /** Its role in a link. Names of linked records stand beside these attributes. */
  readonly link: 'id' | 'ids' | 'type' | 'columns' | undefined;
  /** The link whose other side has this value, for `accountName`, `teamsNames` and foreign fields. */
  readonly through:
    | {
        readonly link: string;
        readonly idAttribute: string;
        readonly entityType: string;
        readonly attribute: string;
      }
    | undefined;
  /** For the name of a parent, which is a record of one of several types. */
  readonly parent:
    | {
        readonly idAttribute: string;
        readonly typeAttribute: string;
        readonly entityTypes: readonly string[];
      }
    | undefined;
  /**
   * An amount in the default currency. With `percent`, a share of it: 100, or the attribute that has the percentage.
   */
  readonly worth: { readonly amount: string; readonly percent?: string | 100 } | undefined;
  /** JSON Schema of its values, if the kind does not say it all. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  /** A value as a client could send it. */
  readonly example: AttributeValue | undefined;
}

/** `age` → `Age`, as in `fromAge`. */
export function capitalized(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}
