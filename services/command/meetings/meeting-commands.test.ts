import { expect, it } from 'vitest';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { meetingDefinition } from '../../../shared/domain/entity/stock/activities.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { systemAdministrator } from '../owner/command.ts';
import { decideAcceptance } from './meeting-commands.ts';

const model = buildEntityModel(meetingDefinition);
const writer = { position: 0n } as never;

function respond(status: string, values: AttributeValues, isDeleted = false) {
  const decide = decideAcceptance({
    actor: { ...systemAdministrator, id: 'ann' },
    model,
    id: 'm',
    body: { status },
  });
  return decide({ entityType: 'Meeting', id: 'm', version: 1, deleted: isDeleted, values }, writer);
}

const invited = {
  usersIds: ['ann', 'ben'],
  usersColumns: { ann: { status: 'None' }, ben: { status: 'Declined' } },
};

it('changes only the status of the acting user, and nothing if the status is the same', () => {
  expect(respond('Accepted', invited)?.changes).toContainEqual({
    attribute: 'usersColumns',
    before: invited.usersColumns,
    after: { ...invited.usersColumns, ann: { status: 'Accepted' } },
  });
  const accepted = {
    ...invited,
    usersColumns: { ann: { status: 'Accepted' }, ben: { status: 'None' } },
  };
  expect(respond('Accepted', accepted)).toBeUndefined();
});

it('rejects users who are not invited, and records that no longer exist', () => {
  for (const values of [{}, { usersIds: ['ben'] }, { contactsIds: ['ann'] }]) {
    expect(() => respond('Accepted', values)).toThrow(
      expect.objectContaining({ code: 'access.denied' }),
    );
  }
  expect(() => respond('Accepted', invited, true)).toThrow(
    expect.objectContaining({ code: 'record.not_found' }),
  );
});
