import { describe, expect, it } from 'vitest';
import { type Actor, buildActor } from '../../../shared/domain/access/actor.ts';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { taskDefinition } from '../../../shared/domain/entity/stock/activities.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { continueTrace, type Impersonation, runInRequest } from '../../../shared/runtime/trace.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { NotOwner } from '../writer/not-owner.ts';
import type { Command } from './command.ts';
import { defineCommand } from './define-command.ts';
import type { ForwardedCommand } from './protocol.ts';
import { asJson } from './read-body.ts';
import { CommandSender } from './send-to-owner.ts';

const ann = { id: 'ann', name: 'Ann', userName: 'ann', teamIds: [] } as const;
const before = buildActor({ ...ann, type: 'admin' }, []);
const after = buildActor({ ...ann, type: 'regular' }, []);
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

const executed = { state, partition: 0, offset: 1n, isReplay: false, changed: [] };
const topics = { records: 'records', directory: 'directory' };
const projection = { projected: () => 9n, isEventQuarantined: () => false };

/** Returns a directory in which `actorNow` determines Ann's permissions. */
function directoryWith(actorNow: () => Actor) {
  const user = { entityType: 'User', id: 'ann', version: 1, deleted: false };
  return { record: () => ({ ...user, values: { isActive: true } }), actor: actorNow };
}

function senderWith(parts: Parameters<typeof commandContext>[0]): CommandSender {
  const ids = { newId: () => 'new', newIdIn: () => 'new' };
  const others = { follower: { offset: () => 0n }, forwarder: {}, peers: {} };
  const own = { now: Date.now, partitions: 1, projection, topics, ...ids, ...others };
  const context = commandContext({ ...own, ...parts });
  return new CommandSender(() => context);
}

/** Returns the user of each attempt to decide a command while this instance is not yet the owner. */
async function decidedFor(
  input: Partial<Command>,
  actorNow: () => Actor,
  failures = 0,
): Promise<readonly Actor[]> {
  const actors: Actor[] = [];
  const definition = defineCommand({
    name: 'update',
    readBody: asJson,
    async execute(_context, { actor }) {
      actors.push(actor);
      if (actors.length <= failures) throw new NotOwner(undefined);
      return executed;
    },
  });
  const sender = senderWith({
    directory: directoryWith(actorNow),
    ownership: { ownerOf: () => 'here' },
  });
  await sender.send(definition, { ...command, ...input });
  return actors;
}

/**
 * Returns the administrator in the identity of a command that Ann sent. This instance decides the command or forwards
 * it.
 */
async function administratorFor(
  impersonation: Impersonation | undefined,
  isForwarded: boolean,
): Promise<unknown> {
  const found = Promise.withResolvers<unknown>();
  const definition = defineCommand({
    name: 'update',
    readBody: asJson,
    async execute(_context, { identity }) {
      found.resolve(identity.administratorId);
      return executed;
    },
  });
  const sender = senderWith({
    directory: directoryWith(() => before),
    ownership: { ownerOf: () => (isForwarded ? { address: 'http://owner' } : 'here') },
    forwarder: {
      async forward(_address: string, { identity }: ForwardedCommand) {
        found.resolve(JSON.parse(JSON.stringify(identity)).administratorId);
        return { kind: 'executed', executed };
      },
    },
  });
  const scope = {
    trace: continueTrace(undefined),
    fail: found.reject,
    isGone: () => false,
    impersonation: () => impersonation,
  };
  runInRequest(scope, () => void sender.send(definition, command).catch(found.reject));
  return found.promise;
}

describe('the administrator of a command', () => {
  it.each([false, true])(
    'is the user who acts as another user (forwarded: %s)',
    async (isForwarded) => {
      const boss = { userId: 'ann', administratorId: 'boss' };
      expect(await administratorFor(boss, isForwarded)).toBe('boss');
    },
  );

  it('is absent without a matching actor', async () => {
    const other = { userId: 'bob', administratorId: 'boss' };
    expect(await administratorFor(other, false)).toBeUndefined();
    expect(await administratorFor(undefined, true)).toBeUndefined();
  });
});

describe('the user of a command', () => {
  it('has the current permissions', async () => {
    expect(await decidedFor({}, () => after)).toEqual([after]);
  });

  it('is rejected if deactivated after the request arrives', async () => {
    const inactive = () => {
      throw new Refusal('unauthenticated', 'user.inactive', 'No.');
    };
    await expect(decidedFor({}, inactive)).rejects.toMatchObject({ code: 'user.inactive' });
    expect(await decidedFor({ isDecided: true }, inactive)).toEqual([before]);
  });

  it('stays the same on a retry because the first attempt may have succeeded', async () => {
    let reads = 0;
    const actorNow = () => {
      reads += 1;
      return reads === 1 ? before : after;
    };
    expect(await decidedFor({}, actorNow, 2)).toEqual([before, before, before]);
  });
});
