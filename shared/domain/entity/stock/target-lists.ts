import type { FieldDefinition } from '../entity-definition.ts';

/** The target lists that an account, contact or lead is on. */
export const targetLists: FieldDefinition = {
  type: 'linkMultiple',
  entityType: 'TargetList',
  singleReadOnly: true,
  columns: { optedOut: { type: 'bool', foreignAttribute: 'targetListIsOptedOut' } },
};
