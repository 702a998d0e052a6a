import type { FieldDefinition } from '../../../field/field-definition.ts';

/** Whether somebody takes part in a meeting or call. */
export const acceptanceStatuses: readonly string[] = ['None', 'Accepted', 'Tentative', 'Declined'];

/** What somebody who takes part has said to meetings and calls, in lists of those who do. */
export const acceptance: Readonly<Record<string, FieldDefinition>> = {
  acceptanceStatus: { type: 'varchar', notStored: true },
  acceptanceStatusMeetings: acceptanceOf('meetings'),
  acceptanceStatusCalls: acceptanceOf('calls'),
};

function acceptanceOf(columnOf: string): FieldDefinition {
  return { type: 'enum', options: acceptanceStatuses, columnOf, notStored: true };
}
