/** Options that everything with a person's name shares. The first kind of number is the default. */
export const salutations: readonly string[] = ['', 'Mr.', 'Ms.', 'Mrs.', 'Dr.'];
export const personPhoneTypes: readonly string[] = ['Mobile', 'Office', 'Home', 'Fax', 'Other'];
