import type { FieldDefinition } from '../../../field/field-definition.ts';

/** Whether an attendee accepted a meeting or call. */
export const acceptanceStatuses: readonly string[] = ['None', 'Accepted', 'Tentative', 'Declined'];

/** The acceptance status of an attendee, shown in lists of attendees. */
export const acceptance: Readonly<Record<string, FieldDefinition>> = {
  acceptanceStatus: { type: 'varchar', notStored: true },
  acceptanceStatusMeetings: acceptanceOf('meetings'),
  acceptanceStatusCalls: acceptanceOf('calls'),
};

function acceptanceOf(columnOf: string): FieldDefinition {
  return { type: 'enum', options: acceptanceStatuses, columnOf, notStored: true };
}
