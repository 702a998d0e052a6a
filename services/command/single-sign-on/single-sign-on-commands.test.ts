import { describe, expect, it } from 'vitest';
import { type Actor, buildActor } from '../../../shared/domain/access/actor.ts';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { userDefinition } from '../../../shared/domain/entity/stock/user.ts';
import type { Decision } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import {
  commandContext,
  decideOn,
  writerOf,
} from '../../../test/support/builders/command-context.ts';
import { unrepeated } from '../owner/command.ts';
import { identityIdOf, linkIdentityCommand } from './single-sign-on-commands.ts';

const ann = buildActor(
  { id: 'ann', name: 'Ann', userName: 'ann', type: 'regular', teamIds: [] },
  [],
);
const account = { issuer: 'https://login.example', subject: '1', accountName: 'ann@example.com' };
const minuteMs = 60_000;

/** Returns the user to whom an account belongs after the decision, at the time 0. */
async function link(
  userId: string,
  {
    linked,
    users = {},
    actor = ann,
  }: {
    readonly linked?: AttributeValues;
    readonly users?: Readonly<Record<string, { readonly deleted: boolean }>>;
    readonly actor?: Actor;
  } = {},
) {
  const identity = { entityType: '', id: 'i', version: 1, deleted: false };
  const state: RecordState | undefined = linked && {
    ...identity,
    values: { ...account, ...linked },
  };
  let decided: Decision | undefined;
  const directoryWriter = writerOf(async (submission) => {
    decided = decideOn(state, submission);
    return { state: { ...identity, values: {} }, offset: 0n, changed: [] };
  });
  const directory = { record: (_: string, id: string) => users[id] };
  await linkIdentityCommand.execute(commandContext({ directoryWriter, directory }), {
    actor,
    id: 'i',
    body: { ...account, userId },
    identity: unrepeated,
    deadline: 0,
    conditions: {},
    model: buildEntityModel(userDefinition),
  });
  return decided?.changes.find(({ attribute }) => attribute === 'userId')?.after;
}

describe('linking an account', () => {
  it('links an unknown account, and one whose link was removed', async () => {
    expect(await link('ann')).toBe('ann');
    expect(await link('ann', { linked: { userId: null } })).toBe('ann');
    expect(await link('ann', { linked: { userId: 'ann' } })).toBeUndefined();
  });

  it('rejects an account of another user, unless that user was deleted', async () => {
    const linked = { userId: 'bob', linkedAtMs: 0 };
    const isLinked = { code: 'sign_in.account_linked' };
    await expect(link('ann', { linked, users: { bob: { deleted: false } } })).rejects.toMatchObject(
      isLinked,
    );
    expect(await link('ann', { linked, users: { bob: { deleted: true } } })).toBe('ann');
  });

  it('accepts an account whose user was never created, but not while the sign-in may still create it', async () => {
    const recent = link('ann', { linked: { userId: 'new', linkedAtMs: -minuteMs + 1 } });
    await expect(recent).rejects.toMatchObject({ code: 'sign_in.account_linked' });
    expect(await link('ann', { linked: { userId: 'new', linkedAtMs: -minuteMs } })).toBe('ann');
  });

  it('rejects users who link an account to another user', async () => {
    await expect(link('bob')).rejects.toMatchObject({ code: 'access.denied' });
    expect(await link('bob', { actor: { ...ann, id: 'boss', type: 'admin' } })).toBe('bob');
  });
});

describe('identityIdOf', () => {
  it('distinguishes accounts by issuer and subject together', () => {
    const ids = [
      identityIdOf('https://a', 'b'),
      identityIdOf('https://a","', 'b'),
      identityIdOf('https://a', '","b'),
      identityIdOf('https://b', 'b'),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(identityIdOf('https://a', 'b')).toBe(ids[0]);
  });
});
