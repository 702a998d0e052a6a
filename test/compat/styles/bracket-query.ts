interface BracketForm {
  /** Whether `[` and `]` become `%5B` and `%5D`: some clients leave them as they are. */
  readonly encodesBrackets: boolean;
  /** How the client's language writes a value: `True`, `1`, `true`. */
  toText(value: unknown): string;
}

/** `{where: [{type: 'isTrue'}]}` as `where[0][type]=isTrue`, the way PHP builds queries and others imitate. */
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
