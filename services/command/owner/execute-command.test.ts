import { describe, expect, it } from 'vitest';
import { type Actor, buildActor } from '../../../shared/domain/access/actor.ts';
import { userInactive } from '../../../shared/domain/directory/acting-user.ts';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { taskDefinition } from '../../../shared/domain/entity/stock/activities.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import {
  commandContext,
  decideOn,
  writerOf,
} from '../../../test/support/builders/command-context.ts';
import { append } from './append.ts';
import { type Command, unrepeated } from './command.ts';
import { defineCommand } from './define-command.ts';
import { executeCommand } from './execute-command.ts';
import { asJson } from './read-body.ts';

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
    actor,
    model: buildEntityModel(taskDefinition),
    id: 'a',
    body: {},
    conditions: {},
    deadline: Date.now() + 60_000,
  };
}

const place = { resource: 'records/0', partition: 0, id: 'a' };

/** Returns a directory in which `actorNow` determines Ann's permissions. */
function directoryWith(actorNow: () => Actor) {
  const user = { entityType: 'User', id: 'ann', version: 1, deleted: false };
  return {
    record: () => ({ ...user, values: { isActive: true, type: 'api' } }),
    actor: actorNow,
  };
}

/** Executes a command whose user has lost the permission since any first attempt. */
async function execute(
  input: { readonly isRepeat?: boolean; readonly commandId?: string },
  logHasIt: boolean,
) {
  const writer = writerOf(async (submission) => {
    if (!logHasIt) decideOn(state, submission);
    return { state, offset: 1n, isReplay: true, changed: [] };
  });
  const actor = buildActor(ann, []);
  const context = commandContext({ directory: directoryWith(() => actor), writers: [writer] });
  const identity = { ...unrepeated, ...input };
  return executeCommand(context, aTaskUpdate(actor), { definition: forbidden, place, identity });
}

describe('a command that is rejected before it reaches the writer', () => {
  it.each([{ isRepeat: true }, { commandId: 'key' }])(
    'returns the outcome of its first attempt if the log contains it: %o',
    async (input) => {
      expect(await execute(input, true)).toEqual(firstTry);
      await expect(execute(input, false)).rejects.toMatchObject({ code: 'access.denied' });
    },
  );

  it('is rejected immediately if it cannot be a repeat', async () => {
    await expect(execute({}, true)).rejects.toMatchObject({ code: 'access.denied' });
  });
});

describe('a command that waited before its decision', () => {
  const roleWith = (values: AttributeValues) => ({ ...state, entityType: 'Role', values });
  const before = buildActor(ann, [roleWith({ massUpdatePermission: 'yes' })]);
  /** Returns the users of all decisions after Ann's permissions changed. `now` returns her new permissions. */
  async function decidedFor(now: () => Actor, more: Partial<Command> = {}) {
    const decided: Actor[] = [];
    const deciding = defineCommand({
      name: 'update',
      readBody: asJson,
      async execute(context, request) {
        const decide = () => ({ type: 'Updated', changes: [] }) as const;
        const executed = await append(context, request, { id: 'a', decide });
        decided.push(request.actor);
        return executed;
      },
    });
    const writer = writerOf(async (submission) => {
      decideOn(state, submission);
      return { state, offset: 1n, changed: [] };
    });
    const context = commandContext({ directory: directoryWith(now), writers: [writer] });
    const attempt = { definition: deciding, place, identity: unrepeated };
    await executeCommand(context, { ...aTaskUpdate(before), ...more }, attempt);
    return decided;
  }

  it('keeps the user read on arrival if the permissions are unchanged', async () => {
    expect(await decidedFor(() => structuredClone(before))).toEqual([before]);
  });

  it('is decided with the current permissions of its user', async () => {
    const after = buildActor(ann, [roleWith({ massUpdatePermission: 'no' })]);
    expect(await decidedFor(() => after)).toEqual([after]);
  });

  it('is rejected if its user was deactivated', async () => {
    const inactive = () => {
      throw userInactive();
    };
    await expect(decidedFor(inactive)).rejects.toMatchObject({ code: 'user.inactive' });
    expect(await decidedFor(inactive, { isDecided: true })).toEqual([before]);
  });
});
