import { expect, it } from 'vitest';
import { buildEntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import { meetingDefinition } from '../../shared/domain/entity/stock/activities.ts';
import type { Decision } from '../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../shared/domain/value/attribute-values.ts';
import { commandContext, decideOn, writerOf } from '../../test/support/builders/command-context.ts';
import { setAcceptanceCommand } from './meeting-routes.ts';
import { systemAdministrator, unrepeated } from './owner/command.ts';

const model = buildEntityModel(meetingDefinition);
async function respond(status: string, values: AttributeValues, isDeleted = false) {
  const state = { entityType: 'Meeting', id: 'm', version: 1, deleted: isDeleted, values };
  let decision: Decision | undefined;
  const writer = writerOf(async (submission) => {
    decision = decideOn(state, submission);
    return { state, offset: 1n, changed: [] };
  });
  await setAcceptanceCommand.execute(commandContext({ writers: [writer] }), {
    actor: { ...systemAdministrator, id: 'ann' },
    model,
    id: 'm',
    body: { status },
    conditions: {},
    identity: unrepeated,
    deadline: 0,
  });
  return decision;
}

const invited = {
  usersIds: ['ann', 'ben'],
  usersColumns: { ann: { status: 'None' }, ben: { status: 'Declined' } },
};

it('changes only the status of the acting user', async () => {
  const decision = await respond('Accepted', invited);
  expect(decision?.changes).toContainEqual({
    attribute: 'usersColumns',
    before: invited.usersColumns,
    after: { ...invited.usersColumns, ann: { status: 'Accepted' } },
  });
  const accepted = {
    ...invited,
    usersColumns: { ann: { status: 'Accepted' }, ben: { status: 'None' } },
  };
  expect(await respond('Accepted', accepted)).toBeUndefined();
});

it('rejects uninvited users and deleted records', async () => {
  for (const values of [{}, { usersIds: ['ben'] }, { contactsIds: ['ann'] }]) {
    await expect(respond('Accepted', values)).rejects.toThrow(
      expect.objectContaining({ code: 'access.denied' }),
    );
  }
  await expect(respond('Accepted', invited, true)).rejects.toThrow(
    expect.objectContaining({ code: 'record.not_found' }),
  );
});
