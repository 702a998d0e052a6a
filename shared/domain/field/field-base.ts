/** What can be said of a field of any type. Each type adds its own settings, see types/. */
export interface FieldBase<
  Type extends string = string,
  Default extends DefaultValue = DefaultValue,
> {
  readonly type: Type;
  readonly required?: boolean;
  /** required: but not where one of these fields has a value. */
  readonly requiredUnless?: readonly string[];
  /** Set by Annals alone; what a client sends for it is dropped silently. */
  readonly readOnly?: boolean;
  /** May be given on create; what an update sends for it is dropped silently. */
  readonly readOnlyAfterCreate?: boolean;
  /** Takes part in payloads and answers with its default, but has no column (values of a link's middle table). */
  readonly notStored?: boolean;
  /** For administrators alone: to read as well as to set. */
  readonly adminOnly?: boolean;
  /** Has an index of its own, over the records that have a value. */
  readonly isIndexed?: boolean;
  /** Left out of list answers unless asked for by `select`. */
  readonly singleReadOnly?: boolean;
  readonly default?: Default | null;
  /** Where nobody gives a value: the one that belongs to the value of another attribute. */
  readonly valueBy?: {
    readonly attribute: string;
    readonly values: Readonly<Record<string, number | string>>;
  };
  /** For people; absent: made out of the name. */
  readonly label?: string;
  /** For clients that show one: that there is a hint, or the hint itself. */
  readonly tooltip?: boolean | string;
  /** For clients: streams tell the changes of every field. */
  readonly audited?: boolean;
  /** Created through the API or a seed rather than shipped with Annals. */
  readonly isCustom?: boolean;
}

export type DefaultValue = string | number | boolean | readonly string[];
