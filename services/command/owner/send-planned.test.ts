import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { taskDefinition } from '../../../shared/domain/entity/stock/activities.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { senderOf } from '../../../test/support/builders/command-context.ts';
import { internalCommandDefaults } from './command.ts';
import { defineCommand } from './define-command.ts';
import { asJson } from './read-body.ts';

const definition = defineCommand({
  name: 'planned',
  readBody: asJson,
  execute: async () => {
    throw new Error('not here');
  },
});
const state = { entityType: 'Task', id: 'a', version: 1, deleted: false, values: {} };
const refusal = new Refusal('forbidden', 'access.denied', 'No edit access.', { body: 1 });

/** Returns the commands that are sent for a plan. */
async function send(commandId: string | null, plan: () => object) {
  const sent: [string, object][] = [];
  const sender = senderOf(async ({ name }, { body }) => {
    sent.push([name, body]);
    return { state, consistencyToken: '', isReplay: false, changed: [] };
  });
  const user = { id: 'ann', name: 'Ann', userName: 'ann', type: 'api', teamIds: [] } as const;
  const command = {
    ...internalCommandDefaults,
    actor: buildActor(user, []),
    model: buildEntityModel(taskDefinition),
    id: 'a',
    deadline: 0,
  };
  await sender.sendPlanned(definition, {
    ...command,
    commandId,
    plan: async () => ({ ...plan() }),
  });
  return sent;
}

function refuse(): never {
  throw refusal;
}

describe('a planned command', () => {
  it('is sent with its plan as the body', async () => {
    expect(await send('key', () => ({ a: 1 }))).toEqual([['planned', { a: 1 }]]);
  });

  it('is rejected immediately if it cannot have been sent before', async () => {
    await expect(send(null, refuse)).rejects.toBe(refusal);
  });

  it('is sent as a repeat if it is rejected after a possible first attempt', async () => {
    const { kind, code, message, detail } = refusal;
    expect(await send('key', refuse)).toEqual([['repeat', { kind, code, message, detail }]]);
  });

  it('fails with an unexpected error from its plan', async () => {
    const fail = () => {
      throw new Error('no database');
    };
    await expect(send('key', fail)).rejects.toThrow('no database');
  });
});
