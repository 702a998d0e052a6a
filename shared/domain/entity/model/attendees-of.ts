import { perModel } from './per-model.ts';

/** The field of the users who follow a record because they take part in it, and the attribute of their ids. */
export const attendeesOf = perModel(({ fields }) => {
  const [field] = [...fields].find(([, { follows }]) => follows === true) ?? [];
  return field === undefined ? {} : { field, ids: `${field}Ids` };
});
