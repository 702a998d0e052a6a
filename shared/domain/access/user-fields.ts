/** Fields of users that are shown to others than administrators (docs/reference/access.md#users). */
export const shownOfUsers: ReadonlySet<string> = new Set([
  'name',
  'salutationName',
  'firstName',
  'lastName',
  'userName',
  'type',
  'isActive',
  'title',
  'emailAddress',
  'phoneNumber',
  'teams',
  'roles',
]);

/** Those of their own user that people may change, with the right to. */
export const ownFieldsOfUsers: ReadonlySet<string> = new Set([
  'salutationName',
  'firstName',
  'lastName',
  'title',
  'emailAddress',
  'phoneNumber',
]);
