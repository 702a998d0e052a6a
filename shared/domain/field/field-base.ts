/** The settings that fields of any type can have. Each type adds its own; see types/. */
export interface FieldBase<
  Type extends string = string,
  Default extends DefaultValue = DefaultValue,
> {
  readonly type: Type;
  readonly required?: boolean;
  /** With `required`: the field may be empty if one of these fields has a value. */
  readonly requiredUnless?: readonly string[];
  /** Only Annals sets it. Values sent by clients are silently ignored. */
  readonly readOnly?: boolean;
  /** Clients can set it on create. Values sent in updates are silently ignored. */
  readonly readOnlyAfterCreate?: boolean;
  /** Part of requests and responses, but without a column (values of a link's middle table). */
  readonly notStored?: boolean;
  /** Only administrators can read or set it. */
  readonly adminOnly?: boolean;
  /** Has a separate index over the records that have a value. */
  readonly isIndexed?: boolean;
  /** Omitted from lists unless `select` includes it. */
  readonly singleReadOnly?: boolean;
  readonly default?: Default | null;
  /** Makes the default depend on another attribute: maps each value of that attribute to a default. */
  readonly valueBy?: {
    readonly attribute: string;
    readonly values: Readonly<Record<string, number | string>>;
  };
  /** Display label; derived from the name if absent. */
  readonly label?: string;
  /** For clients that show hints: true, or the text of the hint. */
  readonly tooltip?: boolean | string;
  /** For clients only; streams report changes to every field regardless. */
  readonly audited?: boolean;
  /** Created through the API or a seed, not shipped with Annals. */
  readonly isCustom?: boolean;
}

export type DefaultValue = string | number | boolean | readonly string[];
