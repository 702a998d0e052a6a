/** Collects the values of a statement while its text is written. */
export interface Binder {
  /** The placeholder of a value: `$3`. */
  bind(value: unknown): string;
  readonly values: readonly unknown[];
}

/** `taken`: how many parameters the statement has already. */
export function createBinder(taken: number): Binder {
  const values: unknown[] = [];
  return {
    bind(value) {
      values.push(value);
      return `$${taken + values.length}`;
    },
    values,
  };
}
