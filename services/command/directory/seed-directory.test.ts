import { expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import {
  commandContext,
  decideOn,
  writerOf,
} from '../../../test/support/builders/command-context.ts';
import { aCreation, aDeletionAfter } from '../../../test/support/builders/record-event-builder.ts';
import { systemActor } from '../owner/command.ts';
import { type Seed, seedDirectory } from './seed-directory.ts';

const seed: Seed = {
  admin: { userName: 'admin', password: 'secret-1' },
  user: { userName: 'user', password: 'secret-2' },
  apiKey: { userName: 'api-key', apiKey: 'k' },
  hmac: { userName: 'api-hmac', apiKey: 'h', secretKey: 's' },
};

/** Seeds the directory, and returns the ids of the written records. */
async function start(directory: ReturnType<typeof createDirectory>): Promise<readonly string[]> {
  const written: string[] = [];
  const secrets = createSecretBox('ab'.repeat(32));
  const directoryWriter = writerOf(async (submission) => {
    const { entityType, recordId } = submission;
    const before = directory.record(entityType, recordId);
    const decision = decideOn(before, submission);
    if (decision !== undefined) {
      const version = (before?.version ?? 0) + 1;
      const actorId = systemActor.id;
      const place = { recordId, version, actorId };
      directory.apply({ ...aCreation(entityType, {}, place), ...decision });
      written.push(recordId);
    }
    const state = directory.record(entityType, recordId);
    if (state === undefined) throw new Error(`${recordId} does not exist`);
    return { state, offset: 1n, changed: [] };
  });
  await seedDirectory(commandContext({ now: () => 0, directory, directoryWriter, secrets }), seed);
  return written;
}

const roleId = 'role-full-access';

/** Returns a directory that already has the users with passwords, because hashing is slow. */
function withPeople() {
  const directory = createDirectory(stockDefinitions);
  for (const recordId of ['admin', 'user']) directory.apply(aCreation('User', {}, { recordId }));
  return directory;
}

it('writes missing records once', { timeout: 20_000 }, async () => {
  const directory = createDirectory(stockDefinitions);
  expect(await start(directory)).toEqual(expect.arrayContaining([roleId, 'admin', 'user']));
  expect(directory.record('User', 'user')?.values['passwordHash']).toEqual(expect.any(String));
  expect(directory.record('Role', roleId)?.values['data']).toMatchObject({
    Account: { read: 'all' },
  });
  expect(await start(directory)).toEqual([]);
});

it.each(['written by an earlier version', 'removed'])(
  'does not change a role that was %s',
  async (was) => {
    const directory = withPeople();
    const place = { recordId: roleId, actorId: systemActor.id };
    const role = aCreation('Role', { data: { Account: { read: 'all' } } }, place);
    directory.apply(role);
    if (was === 'removed') directory.apply(aDeletionAfter(role));
    const before = directory.record('Role', roleId);
    expect(await start(directory)).not.toContain(roleId);
    expect(directory.record('Role', roleId)).toEqual(before);
  },
);

it('does not grant access to entity types that were created later', async () => {
  const directory = withPeople();
  await start(directory);
  const values = { template: 'Base', fields: {}, links: {}, removedFields: {} };
  directory.apply(aCreation('EntityDefinition', values, { recordId: 'Ship' }));
  expect(directory.entity('Ship')).toBeDefined();
  expect(await start(directory)).toEqual([]);
  expect(directory.record('Role', roleId)?.values['data']).not.toHaveProperty('Ship');
});
