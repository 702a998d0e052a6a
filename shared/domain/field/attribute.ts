import type { AttributeValue } from '../value/attribute-values.ts';

/** The JSON form of a value. Determines the column type in the read model. */
export type AttributeKind =
  | 'string'
  | 'bool'
  | 'int'
  | 'float'
  /** Exact, with four decimal places; a string on the wire. */
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
  /** Clients may set it. Companion attributes such as `accountName` are set by Annals. */
  readonly writable: boolean;
  /** Returned by single reads; lists return it only if `select` includes it. */
  readonly singleReadOnly: boolean;
  /** Never shown, except by code that itself checks who may see it. */
  readonly isSecret: boolean;
  /** For kind `json`: true if the value is an object (`{}` if empty) rather than a list or null. */
  readonly isMap: boolean;
  /** Its role in a link; undefined for other attributes, including names of linked records. */
  readonly link: 'id' | 'ids' | 'type' | 'columns' | undefined;
  /** The link from whose other side the value comes, for `accountName`, `teamsNames` and foreign fields. */
  readonly through:
    | {
        readonly link: string;
        readonly idAttribute: string;
        readonly entityType: string;
        readonly attribute: string;
      }
    | undefined;
  /** Set for the name of a parent, which is a record of one of several types. */
  readonly parent:
    | {
        readonly idAttribute: string;
        readonly typeAttribute: string;
        readonly entityTypes: readonly string[];
      }
    | undefined;
  /**
   * The value is an amount in the default currency. `percent` is the share of `amount`: 100, or the name of the
   * attribute that contains the percentage.
   */
  readonly worth: { readonly amount: string; readonly percent?: string | 100 } | undefined;
  /** JSON Schema of its values, if the kind alone is not specific enough. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  /** An example of a value as sent by a client. */
  readonly example: AttributeValue | undefined;
}

/** Turns `age` into `Age`, as in `fromAge`. */
export function capitalized(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}
