/** Settings that most entity types of business records share. */
export const businessRecords = {
  log: 'records',
  isObject: true,
  hasStream: true,
  orderBy: 'createdAt',
  order: 'desc',
} as const;

/** Settings that the entity types of internal records share. */
export const internalRecords = {
  log: 'records',
  isObject: false,
  isInternal: true,
  orderBy: 'createdAt',
  order: 'desc',
} as const;
