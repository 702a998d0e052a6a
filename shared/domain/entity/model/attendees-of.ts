import { perModel } from './per-model.ts';

/**
 * Returns the field that contains the users who follow a record because they attend it, and the attribute that contains
 * their ids.
 */
export const attendeesOf = perModel(({ fields }) => {
  const [field] = [...fields].find(([, { follows }]) => follows === true) ?? [];
  return field === undefined ? {} : { field, ids: `${field}Ids` };
});
