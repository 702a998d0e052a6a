import { perModel } from './per-model.ts';

/** Returns the field with the users who follow a record because they attend it, and the attribute with their ids. */
export const attendeesOf = perModel(({ fields }) => {
  const [field] = [...fields].find(([, { follows }]) => follows === true) ?? [];
  return field === undefined ? {} : { field, ids: `${field}Ids` };
});
