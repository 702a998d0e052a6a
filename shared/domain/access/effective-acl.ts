import type { Directory } from '../directory/directory.ts';
import type { AttributeValue } from '../record/attribute-values.ts';
import type { RecordState } from '../record/record-state.ts';
import type { AccessAction, AccessLevel, AccessTable } from './access-table.ts';
import type { Actor } from './actor.ts';

type Levels = Readonly<Record<string, AccessLevel>>;
type YesNo = 'yes' | 'no';
type FieldLevels = { readonly read: YesNo; readonly edit: YesNo };

/** What a user may do, in the words of clients: `GET App/user` answers it. */
export interface EffectiveAcl {
  readonly table: Readonly<Record<string, boolean | Levels>>;
  readonly fieldTable: Readonly<Record<string, Readonly<Record<string, FieldLevels>>>>;
  readonly fieldTableQuickAccess: Readonly<Record<string, never>>;
  readonly [permission: `${string}Permission`]: string;
}

type AclDirectory = Pick<Directory, 'entities' | 'record'>;

const leveled = [
  'assignment',
  'message',
  'mention',
  'userCalendar',
  'user',
  'groupEmailAccount',
  'followerManagement',
] as const;
const switched = ['audit', 'export', 'massUpdate', 'portal', 'dataPrivacy', 'lock'] as const;

/** Granted or not, without levels. */
const booleanScopes = ['Webhook', 'OpenApi'];
/** What everybody has who has no role that says otherwise. */
const defaults: Readonly<Record<string, Levels>> = {
  User: { create: 'no', read: 'own', edit: 'no', delete: 'no' },
  Team: { create: 'no', read: 'team', edit: 'no', delete: 'no' },
};
/** Administrators' business, whatever a role says. */
const adminScopes = new Set(['Role']);
const hiddenOfUsers = [
  'password',
  'passwordConfirm',
  'apiKey',
  'secretKey',
  'authMethod',
  'auth2FA',
  'token',
  'dashboardTemplate',
];
const permissionRank = ['all', 'yes', 'team', 'no'];

export function effectiveAcl(actor: Actor, directory: AclDirectory): EffectiveAcl {
  const isAdmin = actor.type === 'admin';
  const roles = isAdmin ? [] : rolesOf(actor, directory);
  const table = isAdmin ? fullTable(directory) : reachable(actor.access, directory);
  return {
    table,
    fieldTable: isAdmin ? {} : fieldTableOf(roles, table),
    fieldTableQuickAccess: {},
    ...Object.fromEntries(
      [...leveled, ...switched].map((name) => {
        const permission = `${name}Permission`;
        return [permission, isAdmin ? highest(name) : mostPermissive(roles, permission)];
      }),
    ),
  };
}

function highest(name: string): string {
  return switched.some((one) => one === name) ? 'yes' : 'all';
}

const allLevels: Levels = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };

function scopesOf(directory: AclDirectory): readonly string[] {
  return directory.entities().map(({ name }) => name);
}

function fullTable(directory: AclDirectory): EffectiveAcl['table'] {
  const booleans = booleanScopes.map((scope) => [scope, true] as const);
  const scopes = scopesOf(directory).filter((scope) => !booleanScopes.includes(scope));
  return Object.fromEntries([...scopes.map((scope) => [scope, allLevels] as const), ...booleans]);
}

/** Only scopes with which the user can do something. */
function reachable(access: AccessTable, directory: AclDirectory): EffectiveAcl['table'] {
  const table: Record<string, boolean | Levels> = {};
  for (const scope of new Set([...scopesOf(directory), ...booleanScopes])) {
    const granted = adminScopes.has(scope) ? false : grantedIn(access, scope);
    if (granted !== false) table[scope] = granted;
  }
  return table;
}

function grantedIn(access: AccessTable, scope: string): boolean | Levels {
  const found = access.get(scope);
  if (found === undefined) return defaults[scope] ?? false;
  return typeof found === 'boolean' ? found : completed(found);
}

/** A missing `create` counts as yes, a missing `stream` as the level of `read`, anything else missing as no. */
function completed(given: Readonly<Partial<Record<AccessAction, AccessLevel>>>): Levels {
  const { create = 'yes', read = 'no', edit = 'no', delete: remove = 'no' } = given;
  return { create, read, edit, delete: remove, stream: given.stream ?? read };
}

/** The user's own roles and those of the user's teams. */
function rolesOf({ id }: Actor, directory: AclDirectory): readonly RecordState[] {
  const user = directory.record('User', id);
  const teams = idsIn(user, 'teamsIds').map((teamId) => directory.record('Team', teamId));
  const holders = [user, ...teams].filter((holder) => holder?.deleted === false);
  const ids = new Set(holders.flatMap((holder) => idsIn(holder, 'rolesIds')));
  return [...ids]
    .map((roleId) => directory.record('Role', roleId))
    .filter((role) => role !== undefined && !role.deleted)
    .filter((role) => role !== undefined);
}

function idsIn(state: RecordState | undefined, attribute: string): readonly string[] {
  const ids = state?.values[attribute];
  return Array.isArray(ids) ? ids.map(String) : [];
}

function mostPermissive(roles: readonly RecordState[], permission: string): string {
  const given = new Set(roles.map(({ values }) => values[permission]));
  return permissionRank.find((level) => given.has(level)) ?? 'no';
}

/** Fields that a role restricts, each with the most that any role which names it allows. */
function fieldTableOf(
  roles: readonly RecordState[],
  table: EffectiveAcl['table'],
): EffectiveAcl['fieldTable'] {
  const fields = new Map<string, Record<string, FieldLevels>>();
  for (const { values } of roles) {
    for (const [scope, levels] of entriesOf(values['fieldData'])) {
      if (!Object.hasOwn(table, scope)) continue;
      const merged = fields.get(scope) ?? {};
      fields.set(scope, merged);
      for (const [field, level] of entriesOf(levels)) merged[field] = widest(merged[field], level);
    }
  }
  if (Object.hasOwn(table, 'User')) {
    const hidden = hiddenOfUsers.map((field) => [field, { read: 'no', edit: 'no' }] as const);
    fields.set('User', { ...fields.get('User'), ...Object.fromEntries(hidden) });
  }
  return Object.fromEntries(fields);
}

function widest(known: FieldLevels | undefined, level: AttributeValue): FieldLevels {
  const given = Object.fromEntries(entriesOf(level));
  const allows = (action: 'read' | 'edit'): YesNo =>
    known?.[action] === 'yes' || given[action] !== 'no' ? 'yes' : 'no';
  return { read: allows('read'), edit: allows('edit') };
}

function entriesOf(value: AttributeValue | undefined): readonly [string, AttributeValue][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value);
}
