import type { FieldDefinition } from '../../field/field-definition.ts';

/** The target lists that an account, contact or lead is on, and what these call their records of the type. */
export function targetListsOf(foreign: string): FieldDefinition {
  return {
    type: 'linkMultiple',
    entityType: 'TargetList',
    foreign,
    singleReadOnly: true,
    columns: { optedOut: { type: 'bool', foreignAttribute: 'targetListIsOptedOut' } },
  };
}
