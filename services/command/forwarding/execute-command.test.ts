import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/build-actor.ts';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { taskDefinition } from '../../../shared/domain/entity/stock/activities.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Append } from './append.ts';
import { defineCommand } from './define-command.ts';
import { createExecute } from './execute-command.ts';
import { asJson } from './read-body.ts';
import { unrepeated } from './write-request.ts';

const state = { entityType: 'Task', id: 'a', version: 1, deleted: false, values: {} };
const firstTry = { state, partition: 0, offset: 1n, isReplay: true, changed: [] };
const forbidden = defineCommand({
  name: 'update',
  readBody: asJson,
  execute: async () => {
    throw new Refusal('forbidden', 'access.denied', 'No edit access.');
  },
});

/** A command whose rights were lost since the first try, if there was one. */
async function execute(
  asked: { readonly isRepeat?: boolean; readonly commandId?: string },
  logHasIt: boolean,
) {
  const append: Append = async (_request, { decide }) => {
    if (!logHasIt) decide(state, { token: '' });
    return firstTry;
  };
  const identity = { ...unrepeated, ...asked };
  return createExecute([forbidden], { append, appendToDirectory: append })(
    {
      name: 'update',
      actor: buildActor({ id: 'ann', name: 'Ann', userName: 'ann', type: 'api', teamIds: [] }, []),
      model: buildEntityModel(taskDefinition),
      id: 'a',
      body: {},
      conditions: {},
      commandId: identity.commandId,
      commandHash: null,
      deadline: Date.now() + 60_000,
      untilReadable: false,
    },
    { place: { resource: 'records/0', partition: 0, id: 'a' }, identity },
  );
}

describe('a command that is refused before the writer has it', () => {
  it.each([{ isRepeat: true }, { commandId: 'key' }])(
    'is answered with its first try if the log has that: %o',
    async (asked) => {
      expect(await execute(asked, true)).toBe(firstTry);
      await expect(execute(asked, false)).rejects.toMatchObject({ code: 'access.denied' });
    },
  );

  it('is refused at once if it cannot have been tried before', async () => {
    await expect(execute({}, true)).rejects.toMatchObject({ code: 'access.denied' });
  });
});
