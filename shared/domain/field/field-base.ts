/** The settings that a field of any type can have. Each type adds its own, see types/. */
export interface FieldBase<
  Type extends string = string,
  Default extends DefaultValue = DefaultValue,
> {
  readonly type: Type;
  readonly required?: boolean;
  /** With `required`: not needed if one of these fields has a value. */
  readonly requiredUnless?: readonly string[];
  /** Only Annals sets it. A value that a client sends is dropped silently. */
  readonly readOnly?: boolean;
  /** Can be given on create. A value that an update sends is dropped silently. */
  readonly readOnlyAfterCreate?: boolean;
  /** Part of requests and answers, but without a column (values of a link's middle table). */
  readonly notStored?: boolean;
  /** Only administrators can read and set it. */
  readonly adminOnly?: boolean;
  /** Has an index of its own, over the records with a value. */
  readonly isIndexed?: boolean;
  /** Left out of list answers unless asked for by `select`. */
  readonly singleReadOnly?: boolean;
  readonly default?: Default | null;
  /** The default depends on another attribute: a value for each of its values. */
  readonly valueBy?: {
    readonly attribute: string;
    readonly values: Readonly<Record<string, number | string>>;
  };
  /** For people; absent: derived from the name. */
  readonly label?: string;
  /** For clients that show hints: true, or the hint itself. */
  readonly tooltip?: boolean | string;
  /** For clients only: streams tell the changes of every field anyway. */
  readonly audited?: boolean;
  /** Created through the API or a seed, not shipped with Annals. */
  readonly isCustom?: boolean;
}

export type DefaultValue = string | number | boolean | readonly string[];
