/** SQL that is true if all of these conditions are. An undefined one restricts nothing. */
export function allOf(...conditions: readonly (string | undefined)[]): string {
  return conditions.filter((condition) => condition !== undefined).join(' and ');
}
