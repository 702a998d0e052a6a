/** Returns SQL that is true if all of these conditions are. Undefined conditions are ignored. */
export function allOf(...conditions: readonly (string | undefined)[]): string {
  return conditions.filter((condition) => condition !== undefined).join(' and ');
}
