import type { FieldDefinition } from '../../../field/field-definition.ts';

/** The target lists of an account, contact or lead; `foreign` is the name of the link on the target list. */
export function targetListsOf(foreign: string): FieldDefinition {
  return {
    type: 'linkMultiple',
    entityType: 'TargetList',
    foreign,
    singleReadOnly: true,
    columns: { optedOut: { type: 'bool', foreignAttribute: 'targetListIsOptedOut' } },
  };
}
