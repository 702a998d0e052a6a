/** What most entity types have in common whose records people work with. */
export const businessRecords = {
  log: 'records',
  isObject: true,
  hasStream: true,
  orderBy: 'createdAt',
  order: 'desc',
} as const;

/** What the entity types of Annals' own records have in common. */
export const internalRecords = {
  log: 'records',
  isObject: false,
  isInternal: true,
  orderBy: 'createdAt',
  order: 'desc',
} as const;
