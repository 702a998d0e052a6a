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
import {
  acceptRecoveryCodeCommand,
  changeCredentialsCommand,
  changeSecondFactorCommand,
  type loginCommands,
} from './login-commands.ts';

const ann = buildActor(
  { id: 'ann', name: 'Ann', userName: 'ann', type: 'regular', teamIds: [] },
  [],
);
const boss: Actor = { ...ann, id: 'boss', type: 'admin' };

/** Returns the changes that the owner of the directory decides. */
async function decide(
  command: (typeof loginCommands)[number],
  body: AttributeValues,
  { values, actor = ann }: { readonly values?: AttributeValues; readonly actor?: Actor },
) {
  const aUser = { entityType: '', id: 'ann', version: 1, deleted: false, values: {} };
  const state: RecordState | undefined = values && { ...aUser, values };
  let decided: Decision | undefined;
  const directoryWriter = writerOf(async (submission) => {
    decided = decideOn(state, submission);
    return { state: { ...aUser, ...state }, offset: 0n, changed: [] };
  });
  const request = {
    actor,
    id: 'ann',
    body,
    identity: unrepeated,
    deadline: 0,
    conditions: {},
    model: buildEntityModel(userDefinition),
  };
  await command.execute(commandContext({ directoryWriter }), request);
  const changes = decided?.changes.map(({ attribute, after }) => [attribute, after]) ?? [];
  return Object.fromEntries(changes);
}

describe('a change to a second factor', () => {
  const on = { totpSecret: 'sealed', lastStep: 7 };

  it('accepts a code only if it is newer than the last one', async () => {
    expect(await decide(changeSecondFactorCommand, { lastStep: 8 }, { values: on })).toEqual({
      lastStep: 8,
    });
    for (const lastStep of [7, 6]) {
      await expect(decide(changeSecondFactorCommand, { lastStep }, { values: on })).rejects.toThrow(
        'used before',
      );
    }
  });

  it('can remove an existing second factor but not replace it', async () => {
    expect(await decide(changeSecondFactorCommand, on, {})).toEqual(on);
    await expect(
      decide(changeSecondFactorCommand, { ...on, lastStep: 9 }, { values: on }),
    ).rejects.toThrow('already');
    const off = { totpSecret: null };
    expect(await decide(changeSecondFactorCommand, off, { values: on, actor: boss })).toEqual(off);
    await expect(
      decide(changeSecondFactorCommand, off, { values: on, actor: { ...ann, id: 'bob' } }),
    ).rejects.toThrow('No edit access');
  });
});

describe('recovery codes', () => {
  const values = { totpSecret: 'sealed', lastStep: 7, recoveryHashes: ['a', 'b'] };

  it('are removed when they are used, so a second use is rejected', async () => {
    const use = { recoveryHash: 'a' };
    expect(await decide(acceptRecoveryCodeCommand, use, { values })).toEqual({
      recoveryHashes: ['b'],
    });
    const used = { ...values, recoveryHashes: ['b'] };
    await expect(decide(acceptRecoveryCodeCommand, use, { values: used })).rejects.toThrow(
      'used before',
    );
    await expect(
      decide(acceptRecoveryCodeCommand, use, { values, actor: { ...ann, id: 'bob' } }),
    ).rejects.toThrow('No edit access');
  });

  it('are deleted with their second factor and require one', async () => {
    expect(await decide(changeSecondFactorCommand, { totpSecret: null }, { values })).toEqual({
      totpSecret: null,
      recoveryHashes: null,
    });
    const off = { totpSecret: null, recoveryHashes: ['a'] };
    const again = { totpSecret: 'another', lastStep: 8 };
    expect(await decide(changeSecondFactorCommand, again, { values: off })).toEqual({
      ...again,
      recoveryHashes: null,
    });
    for (const [command, body] of [
      [changeSecondFactorCommand, { recoveryHashes: ['c'] }],
      [acceptRecoveryCodeCommand, { recoveryHash: 'a' }],
    ] as const) {
      await expect(decide(command, body, { values: off })).rejects.toThrow('no second factor');
    }
  });
});

describe('a change to credentials', () => {
  const values = { passwordHash: 'old', userName: 'ann' };

  it('is rejected if the credentials have changed in the meantime', async () => {
    const change = { passwordHash: 'new', expected: { passwordHash: 'old' } };
    expect(await decide(changeCredentialsCommand, change, { values })).toEqual({
      passwordHash: 'new',
    });
    await expect(
      decide(changeCredentialsCommand, change, { values: { ...values, passwordHash: 'other' } }),
    ).rejects.toThrow('in the meantime');
  });

  it('is allowed for the user and administrators and changes no other attributes', async () => {
    const change = { apiKey: 'sealed', expected: {} };
    expect(await decide(changeCredentialsCommand, change, { values, actor: boss })).toEqual({
      apiKey: 'sealed',
    });
    await expect(
      decide(changeCredentialsCommand, change, { values, actor: { ...ann, id: 'bob' } }),
    ).rejects.toThrow('No edit access');
    await expect(decide(changeCredentialsCommand, { type: 'admin' }, { values })).rejects.toThrow(
      'not a credential',
    );
  });
});
