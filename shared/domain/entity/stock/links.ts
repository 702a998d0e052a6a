import type { FieldDefinition } from '../../field/field-types.ts';
import type { LinkMultipleField } from '../../field/types/link/link-multiple.ts';

/** Returns a link to many records; `foreign` is its name on the other side. */
export function linkToMany(entityType: string, foreign: string): LinkMultipleField {
  return { type: 'linkMultiple', entityType, foreign, singleReadOnly: true };
}

/** Returns the target lists of an account, contact or lead. */
export function targetListsOf(foreign: string): LinkMultipleField {
  const columns = { optedOut: { type: 'bool', foreignAttribute: 'targetListIsOptedOut' } } as const;
  return { ...linkToMany('TargetList', foreign), columns };
}

/** Returns a link to the lead that was converted to the record; `foreign` is the lead's link to the record. */
export function originalLeadOf(foreign: string): FieldDefinition {
  return { type: 'linkOne', entityType: 'Lead', foreign, readOnly: true, singleReadOnly: true };
}

/** Users who may read a record in addition to the members of its teams. */
export const collaborators: LinkMultipleField = {
  type: 'linkMultiple',
  entityType: 'User',
  maxCount: 30,
  singleReadOnly: true,
};
