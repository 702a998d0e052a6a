/** Options that everything with a person's name shares. */
export const salutations: readonly string[] = ['', 'Mr.', 'Ms.', 'Mrs.', 'Dr.'];
