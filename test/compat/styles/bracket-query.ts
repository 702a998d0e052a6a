interface BracketForm {
  /** Whether `[` and `]` become `%5B` and `%5D`; some clients do not encode them. */
  readonly encodesBrackets: boolean;
  /** Formats a value as the client's language does: `True`, `1`, `true`. */
  toText(value: unknown): string;
}

/** Encodes `{where: [{type: 'isTrue'}]}` as `where[0][type]=isTrue`, as PHP and imitators do. */
export function toBracketQuery(params: object, form: BracketForm): string {
  return pairsOf(params, '')
    .map(([key, value]) => {
      const name = form.encodesBrackets ? encodeURIComponent(key) : key;
      return `${name}=${encodeURIComponent(form.toText(value))}`;
    })
    .join('&');
}

function pairsOf(value: unknown, key: string): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[key, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    pairsOf(inner, key === '' ? name : `${key}[${name}]`),
  );
}
