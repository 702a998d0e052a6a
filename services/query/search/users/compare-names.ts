interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** Compares by name, then by id. */
export function compareNames(left: Named, right: Named): number {
  return (left.name ?? '').localeCompare(right.name ?? '') || left.id.localeCompare(right.id);
}
