const NAMED = 5;

/** Returns the first few names, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return [...names.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
