/** Collects the parameters of a statement while its text is built. */
export interface Binder {
  /** Adds a value and returns its placeholder: `$3`. */
  bind(value: unknown): string;
  readonly values: readonly unknown[];
}

/** `taken` is the number of parameters that the statement has already. */
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
