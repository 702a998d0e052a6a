import { readFile } from 'node:fs/promises';
import {
  type Directory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { decideCreate } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { hashPassword } from '../../../shared/secrets/password-hash.ts';
import type { CommandContext } from '../context.ts';
import { appendToDirectory } from '../owner/append.ts';
import { systemActor, unrepeated } from '../owner/command.ts';
import { sealedKey } from './user-rules.ts';

interface PasswordUser {
  readonly userName: string;
  readonly password: string;
}

/** Credentials for the first users, who are created at the first start of Annals. */
export interface Seed {
  readonly admin: PasswordUser;
  readonly user: PasswordUser;
  readonly apiKey: { readonly userName: string; readonly apiKey: string };
  readonly hmac: { readonly userName: string; readonly apiKey: string; readonly secretKey: string };
}

const SEED_TIMEOUT_MS = 30_000;
const roleId = 'role-full-access';
const fullLevels = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };

export async function readSeed(path: string): Promise<Seed> {
  return JSON.parse(await readFile(path, 'utf8')) as Seed;
}

/**
 * Writes the first users, a role and a custom field. Each has a fixed id and is skipped if it exists, so the next start
 * completes an interrupted seed, and no start changes the permissions of an existing role. Returns the offset of the
 * last event in the directory log, or undefined if nothing was written.
 */
export async function seedDirectory(
  context: CommandContext,
  seed: Seed,
): Promise<bigint | undefined> {
  let last: bigint | undefined;
  for (const { entityType, id, password, ...given } of seedRecords(context, seed)) {
    if (context.directory.record(entityType, id) !== undefined) continue;
    const hashed = password === undefined ? {} : { passwordHash: await hashPassword(password) };
    const values = { ...given.values, ...hashed };
    const { offset } = await appendToDirectory(
      context,
      {
        actor: systemActor,
        model: { name: entityType },
        identity: unrepeated,
        deadline: context.now() + SEED_TIMEOUT_MS,
      },
      {
        id,
        decide: (state) => (state === undefined ? decideCreate(state, values) : undefined),
      },
    );
    last = offset ?? last;
  }
  return last;
}

interface SeedRecord {
  readonly entityType: string;
  readonly id: string;
  readonly values: AttributeValues;
  /** Plain text. It is hashed only if the user is written, because hashing is slow. */
  readonly password?: string | undefined;
}

function seedRecords({ directory, secrets }: CommandContext, seed: Seed): readonly SeedRecord[] {
  const withRole = { rolesIds: [roleId] };
  return [
    {
      entityType: 'Role',
      id: roleId,
      values: {
        name: 'Full access',
        assignmentPermission: 'all',
        auditPermission: 'yes',
        exportPermission: 'yes',
        massUpdatePermission: 'yes',
        messagePermission: 'all',
        data: fullAccess(directory),
      },
    },
    user('system', {
      ...named({ userName: 'system' }),
      name: 'System',
      type: 'regular',
      isActive: false,
    }),
    user('admin', { ...named(seed.admin), type: 'admin' }, seed.admin.password),
    user('user', { ...named(seed.user), ...withRole, type: 'regular' }, seed.user.password),
    user('api-key', {
      ...named(seed.apiKey),
      ...withRole,
      ...sealedKey(secrets, seed.apiKey.apiKey),
      type: 'api',
      authMethod: 'ApiKey',
    }),
    user('api-hmac', {
      ...named(seed.hmac),
      ...withRole,
      ...sealedKey(secrets, seed.hmac.apiKey),
      type: 'api',
      authMethod: 'Hmac',
      secretKey: secrets.seal(seed.hmac.secretKey),
    }),
    // Clients may write this field from the first start of Annals (docs/reference/definitions.md). Without a label it
    // would be shown as "Score Cust".
    {
      entityType: entityDefinitionType,
      id: 'Account',
      values: { fields: { scoreCust: { type: 'float', isCustom: true, label: 'Score' } } },
    },
  ];
}

/** Returns `data` for a role with all permissions on records. */
function fullAccess(directory: Directory): AttributeValues {
  const scopes = directory.entities().filter(({ definition }) => definition.isObject);
  return {
    ...Object.fromEntries(scopes.map(({ name }) => [name, fullLevels])),
    User: { read: 'all', edit: 'no' },
    Team: { read: 'all' },
    Currency: { read: 'yes', edit: 'no' },
    Activities: true,
    Calendar: true,
    Webhook: true,
  };
}

function named({ userName }: { readonly userName: string }): AttributeValues {
  return { userName, lastName: userName, name: userName };
}

function user(id: string, given: AttributeValues, password?: string): SeedRecord {
  const values = { isActive: true, teamsIds: [], rolesIds: [], ...given };
  return { entityType: 'User', id, values, password };
}
