import type { AttributeValue } from '../record/attribute-values.ts';

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
  /** Shown to nobody but by the code that knows to whom. */
  readonly isSecret: boolean;
  /** json: an object by keys, `{}` where there is none; others are lists or null. */
  readonly isMap: boolean;
  /** The part that it plays in a link: names of linked records stand beside these. */
  readonly link: 'id' | 'ids' | 'type' | 'columns' | undefined;
  /** The link whose other side gives this value, for `accountName`, `teamsNames` and foreign fields. */
  readonly through:
    | {
        readonly link: string;
        readonly idAttribute: string;
        readonly entityType: string;
        readonly attribute: string;
      }
    | undefined;
  /** The name of a parent, which is a record of one of several types. */
  readonly parent:
    | {
        readonly idAttribute: string;
        readonly typeAttribute: string;
        readonly entityTypes: readonly string[];
      }
    | undefined;
  /** An amount in the default currency; with `percent`, a share of it: 100, or the attribute that says how much. */
  readonly worth: { readonly amount: string; readonly percent?: string | 100 } | undefined;
  /** JSON Schema of its values, where the kind does not say it all. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  /** A value that a client could send. */
  readonly example: AttributeValue | undefined;
}

/** `age` → `Age`, as in `fromAge`. */
export function capitalized(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}
