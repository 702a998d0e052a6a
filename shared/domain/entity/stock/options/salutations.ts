/** Options that all entity types with a person's name share. */
export const salutations: readonly string[] = ['', 'Mr.', 'Ms.', 'Mrs.', 'Dr.'];
