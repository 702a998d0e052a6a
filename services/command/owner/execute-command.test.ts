import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { buildActor } from '../../../shared/domain/access/build-actor.ts';
import { userInactive } from '../../../shared/domain/directory/acting-user.ts';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { taskDefinition } from '../../../shared/domain/entity/stock/activities.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import type { Submission } from '../writer/submission.ts';
import { type Append, createAppend } from './append.ts';
import { defineCommand } from './define-command.ts';
import { createExecute } from './execute-command.ts';
import { asJson } from './read-body.ts';
import type { Command } from './send-to-owner.ts';
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

const ann = { id: 'ann', name: 'Ann', userName: 'ann', type: 'api', teamIds: [] } as const;

function aTaskUpdate(actor: Actor) {
  return {
    name: 'update',
    actor,
    model: buildEntityModel(taskDefinition),
    id: 'a',
    body: {},
    conditions: {},
    commandId: null,
    commandHash: null,
    deadline: Date.now() + 60_000,
    untilReadable: false,
  };
}

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
  return createExecute(
    [forbidden],
    { append, appendToDirectory: append },
    (actor) => actor,
  )(
    { ...aTaskUpdate(buildActor(ann, [])), commandId: identity.commandId },
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

describe('a command that waited for its decision', () => {
  const roleWith = (values: AttributeValues) => ({ ...state, entityType: 'Role', values });
  const before = buildActor(ann, [roleWith({ massUpdatePermission: 'yes' })]);
  const deciding = defineCommand({
    name: 'update',
    readBody: asJson,
    execute: async ({ append }: { readonly append: Append }, request) =>
      append(request, { id: 'a', decide: () => ({ type: 'Updated', changes: [] }) }),
  });

  /** The users that a decision was made for, while the rights of Ann become those of `now`. */
  async function decidedFor(now: () => Actor, more: Partial<Pick<Command, 'isDecided'>> = {}) {
    const decided: Actor[] = [];
    const writer = {
      async submit({ decide }: Submission) {
        decide(state, { token: '' });
        return { state, offset: 1n, changed: [] };
      },
    };
    const submit = createAppend([writer as unknown as PartitionWriter]);
    const append: Append = async (request, target) => {
      const executed = await submit(request, target);
      decided.push(request.actor as Actor);
      return executed;
    };
    const execute = createExecute([deciding], { append, appendToDirectory: append }, now);
    const command = { ...aTaskUpdate(before), ...more };
    await execute(command, {
      place: { resource: '', partition: 0, id: 'a' },
      identity: unrepeated,
    });
    return decided;
  }

  it('is decided for the user as they were read if their rights are the same', async () => {
    expect(await decidedFor(() => structuredClone(before))).toEqual([before]);
  });

  it('is decided with the present rights of its user', async () => {
    const after = buildActor(ann, [roleWith({ massUpdatePermission: 'no' })]);
    expect(await decidedFor(() => after)).toEqual([after]);
  });

  it('is refused if its user was deactivated', async () => {
    const inactive = () => {
      throw userInactive();
    };
    await expect(decidedFor(inactive)).rejects.toMatchObject({ code: 'user.inactive' });
    expect(await decidedFor(inactive, { isDecided: true })).toEqual([before]);
  });
});
