import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { type FieldProblem, Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import { hashPassword } from '../../../shared/secrets/password-hash.ts';
import type { CommandContext } from '../context.ts';
import {
  administratorsOnly,
  type DirectoryChange,
  type DirectoryRules,
} from './directory-handlers.ts';

const MIN_PASSWORD_LENGTH = 8;

/** The attributes that users may change in their own user record. */
const ownAttributes: ReadonlySet<string> = new Set([
  'salutationName',
  'firstName',
  'middleName',
  'lastName',
  'title',
  'emailAddress',
  'emailAddressData',
  'phoneNumber',
  'phoneNumberData',
  'avatarId',
]);
/** User types that only the installation itself may create. */
const reservedTypes: ReadonlySet<unknown> = new Set(['system', 'super-admin']);

/** The options include `portal` because clients expect it, but Annals rejects it. */
const noPortals: FieldProblem = {
  field: 'type',
  type: 'valid',
  message: 'type must be regular, admin or api: Annals has no portals.',
};

/**
 * Rules for users (docs/reference/access.md#users): administrators manage all users. Other users may change a few of
 * their own attributes if a role allows it. Keys and secrets are generated here; clients never send them.
 */
export const userRules: DirectoryRules = {
  requireAllowed(actor, change, id) {
    requireUserAccess(actor, change, id);
    if (change !== 'remove') return;
    if (id === actor.id) {
      throw new Refusal('forbidden', 'user.own', "Can't delete own user.");
    }
    if (id === 'system') throw recordNotFound(id);
  },
  admit,
  check: ({ type }) => (type === 'portal' ? [noPortals] : []),
  derive: deriveCredentials,
  requireConsistent(id, after, context) {
    requireUniqueName(context.directory, id, after['userName']);
    requireOwnDefaultTeam(context.directory, id, after);
  },
};

function requireUserAccess(actor: Actor, change: DirectoryChange, id: string | undefined): void {
  const isOwn = id === actor.id && change === 'update';
  if (isOwn && accessLevel(actor, 'User', 'edit') !== 'no') return;
  administratorsOnly.requireAllowed(actor, change);
}

function admit(actor: Actor, id: string | undefined, body: Readonly<Record<string, unknown>>) {
  if (actor.type !== 'admin') {
    return Object.fromEntries(Object.entries(body).filter(([name]) => ownAttributes.has(name)));
  }
  if (reservedTypes.has(body['type'])) {
    const message = id === undefined ? "Not allowed 'type'." : "Can't change type.";
    throw new Refusal('forbidden', 'user.type', message);
  }
  if (id === undefined) return withLastName(body);
  if (id !== actor.id) return body;
  const { type: _, isActive: __, ...others } = body;
  return others;
}

/** The last name of an API user defaults to its user name. */
function withLastName(body: Readonly<Record<string, unknown>>) {
  const isNameless = body['type'] === 'api' && (body['lastName'] ?? '') === '';
  return isNameless ? { ...body, lastName: body['userName'] } : body;
}

async function deriveCredentials(
  {
    body,
    current,
  }: {
    readonly body: Readonly<Record<string, unknown>>;
    readonly current: RecordState | undefined;
  },
  context: CommandContext,
): Promise<AttributeValues> {
  const type = body['type'] ?? current?.values['type'];
  const authMethod = body['authMethod'] ?? current?.values['authMethod'];
  const before = current?.values;
  if (type !== 'api') return derivePassword(body['password']);
  const isHmac = authMethod === 'Hmac';
  const hasSecret = before?.['secretKey'] != null;
  return {
    ...(authMethod == null || authMethod === '' ? { authMethod: 'ApiKey' } : {}),
    ...(before?.['apiKeyHash'] == null ? sealedKey(context.secrets, generateKey()) : {}),
    ...(isHmac && !hasSecret ? { secretKey: context.secrets.seal(generateKey()) } : {}),
    ...(!isHmac && hasSecret ? { secretKey: null } : {}),
  };
}

/**
 * Returns an API key in two forms: sealed, so that the key can be shown again, and as a keyed hash, which identifies
 * its user.
 */
export function sealedKey(secrets: CommandContext['secrets'], apiKey: string): AttributeValues {
  return { apiKey: secrets.seal(apiKey), apiKeyHash: secrets.lookupHash(apiKey) };
}

async function derivePassword(password: unknown): Promise<AttributeValues> {
  if (password === undefined || password === null || password === '') return {};
  if (typeof password !== 'string' || password.length < MIN_PASSWORD_LENGTH) {
    throw new Refusal('forbidden', 'password.weak', 'Password is weak.');
  }
  return { passwordHash: await hashPassword(password) };
}

function requireUniqueName(directory: Directory, id: string, userName: unknown): void {
  const other = directory.userByName(String(userName));
  if (other !== undefined && other.id !== id) {
    const message = `The user name ${printable(String(userName))} is already in use. Choose another one.`;
    throw new Refusal('conflict', 'user.name_exists', message, { statusReason: 'userNameExists' });
  }
}

/** Checks only new values. Users who leave their default team keep the value, which then has no effect. */
function requireOwnDefaultTeam(
  directory: Directory,
  id: string,
  { defaultTeamId, teamsIds }: AttributeValues,
): void {
  if (typeof defaultTeamId !== 'string') return;
  if (Array.isArray(teamsIds) && teamsIds.includes(defaultTeamId)) return;
  if (directory.record('User', id)?.values['defaultTeamId'] === defaultTeamId) return;
  const message = "defaultTeam must be one of the user's teams.";
  throw validationFailure('User', [{ field: 'defaultTeam', type: 'valid', message }]);
}
