import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { buildActor } from '../../../shared/domain/access/build-actor.ts';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { taskDefinition } from '../../../shared/domain/entity/stock/activities.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { continueTrace, type Impersonation, runInRequest } from '../../../shared/runtime/trace.ts';
import { NotOwner } from '../writer/not-owner.ts';
import { defineCommand } from './define-command.ts';
import type { ForwardedCommand } from './forwarded-command.ts';
import { asJson } from './read-body.ts';
import { type Command, createSendToOwner } from './send-to-owner.ts';

const ann = { id: 'ann', name: 'Ann', userName: 'ann', teamIds: [] } as const;
const before = buildActor({ ...ann, type: 'admin' }, []);
const after = buildActor({ ...ann, type: 'regular' }, []);
const update = defineCommand({
  name: 'update',
  readBody: asJson,
  execute: async () => state as never,
});
const command: Command = {
  actor: before,
  model: buildEntityModel(taskDefinition),
  id: 'a',
  body: {},
  conditions: {},
  commandId: null,
  commandHash: null,
  deadline: Date.now() + 60_000,
  untilReadable: false,
};
const state = { entityType: 'Task', id: 'a', version: 1, deleted: false, values: {} };

/** Who the command was decided for. The first tries come to an instance that is not the owner any more. */
async function decidedFor(
  asked: Partial<Command>,
  actorNow: (actor: Actor) => Actor,
  failures = 0,
): Promise<readonly Actor[]> {
  const actors: Actor[] = [];
  const place = { resource: 'records/0', partition: 0, id: 'a' };
  const sendToOwner = createSendToOwner({
    ownership: { ownerOf: () => 'here' } as never,
    forwarder: {} as never,
    placeOf: () => place,
    anyPlace: () => place,
    async execute({ actor }) {
      actors.push(actor);
      if (actors.length <= failures) throw new NotOwner(undefined);
      return { state, partition: 0, offset: 1n, isReplay: false, changed: [] };
    },
    untilReadable: async () => undefined,
    directoryOffset: () => 0n,
    actorNow,
    now: Date.now,
  });
  await sendToOwner(update, { ...command, ...asked });
  return actors;
}

/** The administrator in the identity of a command of `ann`, decided by this instance or forwarded to another one. */
async function administratorFor(
  impersonation: Impersonation | undefined,
  isForwarded: boolean,
): Promise<unknown> {
  const found = Promise.withResolvers<unknown>();
  const place = { resource: 'records/0', partition: 0, id: 'a' };
  const executed = { state, partition: 0, offset: 1n, isReplay: false, changed: [] };
  const sendToOwner = createSendToOwner({
    ownership: { ownerOf: () => (isForwarded ? { address: 'http://owner' } : 'here') } as never,
    forwarder: {
      async forward(_address: string, { identity }: ForwardedCommand) {
        found.resolve(JSON.parse(JSON.stringify(identity)).administratorId);
        return { kind: 'executed', executed };
      },
    } as never,
    placeOf: () => place,
    anyPlace: () => place,
    async execute(_command, { identity }) {
      found.resolve(identity.administratorId);
      return executed;
    },
    untilReadable: async () => undefined,
    directoryOffset: () => 0n,
    actorNow: (actor) => actor,
    now: Date.now,
  });
  const scope = {
    trace: continueTrace(undefined),
    fail: found.reject,
    isGone: () => false,
    impersonation: () => impersonation,
  };
  runInRequest(scope, () => void sendToOwner(update, command).catch(found.reject));
  return found.promise;
}

describe('a command names', () => {
  it.each([false, true])(
    'the administrator who acts as its user (forwarded: %s)',
    async (isForwarded) => {
      const boss = { userId: 'ann', administratorId: 'boss' };
      expect(await administratorFor(boss, isForwarded)).toBe('boss');
    },
  );

  it('no administrator if it is of another user than the request, or the request of its user', async () => {
    const other = { userId: 'bob', administratorId: 'boss' };
    expect(await administratorFor(other, false)).toBeUndefined();
    expect(await administratorFor(undefined, true)).toBeUndefined();
  });
});

describe('a command is decided for', () => {
  it('its user with the rights of the moment', async () => {
    expect(await decidedFor({}, () => after)).toEqual([after]);
  });

  it('nobody who was deactivated since the request came', async () => {
    const inactive = () => {
      throw new Refusal('unauthenticated', 'user.inactive', 'No.');
    };
    await expect(decidedFor({}, inactive)).rejects.toMatchObject({ code: 'user.inactive' });
    expect(await decidedFor({ isDecided: true }, inactive)).toEqual([before]);
  });

  it('the same one when it is tried again: the first try may have come through', async () => {
    let asked = 0;
    const actorNow = () => {
      asked += 1;
      return asked === 1 ? before : after;
    };
    expect(await decidedFor({}, actorNow, 2)).toEqual([before, before, before]);
  });
});
