/** Settings shared by most entity types of business records. */
export const businessRecords = {
  log: 'records',
  isObject: true,
  hasStream: true,
  orderBy: 'createdAt',
  order: 'desc',
} as const;

/** Settings shared by the entity types of internal records. */
export const internalRecords = {
  log: 'records',
  isObject: false,
  isInternal: true,
  orderBy: 'createdAt',
  order: 'desc',
} as const;
