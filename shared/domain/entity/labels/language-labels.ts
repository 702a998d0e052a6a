type Texts = Readonly<Record<string, string>>;

/**
 * The labels of the shipped entity types in one language. The labels of all other names consist of the words in the
 * name.
 */
export interface LanguageLabels {
  /** Singular and plural, by entity type. */
  readonly types: Readonly<Record<string, readonly [one: string, many: string]>>;
  /** Scopes of permissions that have no records. */
  readonly scopes: Texts;
  /** Fields and links with the same label in every type. */
  readonly names: Texts;
  /** Fields and links whose label differs from `names`, by entity type. */
  readonly namesByType: Readonly<Record<string, Texts>>;
  /** Options with the same label in every field. */
  readonly options: Texts;
  /** Options whose label differs from `options`, by entity type and field: `Note.targetType`. */
  readonly optionsByField: Readonly<Record<string, Texts>>;
  /** Panels of generated layouts. */
  readonly panels: Texts;
}
