/** Collects the values of a statement while its text is composed, so that no part has to track parameter numbers. */
export interface Binder {
  /** Adds a value and returns its placeholder: `$3`. */
  bind(value: unknown): string;
  /** All values of the statement, in the order of their placeholders. */
  readonly values: readonly unknown[];
}

/** `viewer` holds the first values of a statement that begins with `withViewer`. */
export function createBinder(viewer: readonly unknown[] = []): Binder {
  const values = [...viewer];
  return {
    bind(value) {
      values.push(value);
      return `$${values.length}`;
    },
    values,
  };
}
