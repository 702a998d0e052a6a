import type { FieldDefinition } from '../../field/field-definition.ts';
import type { LinkMultipleField } from '../../field/types/link/link-multiple.ts';

/** A link to many records; `foreign` is its name on their side. */
export function linkToMany(entityType: string, foreign: string): LinkMultipleField {
  return { type: 'linkMultiple', entityType, foreign, singleReadOnly: true };
}

/** The target lists of an account, contact or lead. */
export function targetListsOf(foreign: string): LinkMultipleField {
  const columns = { optedOut: { type: 'bool', foreignAttribute: 'targetListIsOptedOut' } } as const;
  return { ...linkToMany('TargetList', foreign), columns };
}

/** The lead that was converted to a record; `foreign` is the link of the lead to it. */
export function originalLeadOf(foreign: string): FieldDefinition {
  return { type: 'linkOne', entityType: 'Lead', foreign, readOnly: true, singleReadOnly: true };
}

/** Users who may read a record beside those of its teams. */
export const collaborators: LinkMultipleField = {
  type: 'linkMultiple',
  entityType: 'User',
  maxCount: 30,
  singleReadOnly: true,
};
