interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** By name, and by id where that is the same. */
export function compareNames(left: Named, right: Named): number {
  return (left.name ?? '').localeCompare(right.name ?? '') || left.id.localeCompare(right.id);
}
