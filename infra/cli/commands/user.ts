import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { makePassword } from '../../local/data-directory/seed-file.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { callApi } from '../call-api.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { toTable } from '../to-table.ts';
import { UsageError } from '../usage-error.ts';
import {
  type ApiRecord,
  type FoundUser,
  findNamedIds,
  findUser,
  listRecords,
} from '../users/find-records.ts';

export const userTypes = ['api', 'regular', 'admin'] as const;
export const authMethods = ['ApiKey', 'Hmac'] as const;

export interface CreateUserOptions {
  readonly type: (typeof userTypes)[number];
  readonly authMethod?: (typeof authMethods)[number];
  readonly roles?: readonly string[];
  readonly teams?: readonly string[];
}

/** `annals user list`. */
export async function listUsers({ installation, printResult }: CommandContext): Promise<void> {
  const select = 'userName,type,authMethod,isActive,rolesIds,rolesNames,teamsIds,teamsNames';
  const users = await listRecords(installation, {
    entityType: 'User',
    select,
    orderBy: 'userName',
  });
  const list = users.map(toShown);
  const rows = list.map(({ userName, type, isActive, roles, teams }) => [
    userName,
    type,
    isActive ? 'active' : 'disabled',
    roles.join(', '),
    teams.join(', '),
  ]);
  printResult({ list }, toTable([['user', 'type', 'state', 'roles', 'teams'], ...rows]));
}

/** `annals user create`: prints the credentials of the new user, which are never shown again. */
export async function createUser(
  context: CommandContext,
  userName: string,
  options: CreateUserOptions,
): Promise<void> {
  requireSafeOutput(context);
  const { installation } = context;
  const { type, authMethod = 'ApiKey' } = options;
  const rolesIds = await findNamedIds(installation, 'Role', options.roles ?? []);
  const teamsIds = await findNamedIds(installation, 'Team', options.teams ?? []);
  const password = makePassword();
  const login = type === 'api' ? { authMethod } : { lastName: userName, password };
  const body = { userName, type, rolesIds, teamsIds, ...login };
  const call = { method: 'POST', path: '/User', body } as const;
  const user = (await callApi(installation, call)) as ApiRecord;
  return printSecrets(context, user, type === 'api' ? undefined : password);
}

/** `annals user rotate`: sets a new key or password. The old one becomes invalid immediately. */
export async function rotateUser(context: CommandContext, userName: string): Promise<void> {
  requireSafeOutput(context);
  const { installation, confirm } = context;
  const { user } = await findUser(installation, userName);
  const isApi = user['type'] === 'api';
  const secret = isApi ? 'key' : 'password';
  await confirm(`Replace the ${secret} of ${userName}? The old one stops working immediately.`);
  if (isApi) {
    const body = { id: user.id };
    const path = '/UserSecurity/apiKey/generate';
    const changed = await callApi(installation, { method: 'POST', path, body });
    return printSecrets(context, changed as ApiRecord, undefined);
  }
  const password = makePassword();
  await callApi(installation, { method: 'PUT', path: `/User/${user.id}`, body: { password } });
  return printSecrets(context, user, password);
}

/** `annals user enable` and `disable`. */
export async function switchUser(
  { installation, printResult, confirm }: CommandContext,
  userName: string,
  isActive: boolean,
): Promise<void> {
  const { user } = await findUser(installation, userName);
  if (!isActive) await confirm(`Disable ${userName}? Its next request will be rejected.`);
  const path = `/User/${user.id}`;
  const body = { isActive };
  const changed = (await callApi(installation, { method: 'PUT', path, body })) as ApiRecord;
  if (changed['isActive'] !== isActive) {
    throw new OperatorError(`You are logged in as ${userName} and cannot disable your own user.`);
  }
  const state = isActive ? 'active' : 'disabled';
  printResult(toShown(changed), [`${userName} is ${state}.`]);
}

export interface RoleOptions {
  readonly set?: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** `annals user roles`: changes the roles if requested, then shows them. */
export async function userRoles(
  { installation, printResult }: CommandContext,
  userName: string,
  changes: RoleOptions,
): Promise<void> {
  const { set, add, remove } = changes;
  const found = await findUser(installation, userName);
  const isChange = [set, add, remove].some((names) => names !== undefined);
  const user = isChange ? await changeRoles(installation, found, changes) : found.user;
  const shown = toShown(user);
  const roles = shown.roles.length === 0 ? 'no roles' : shown.roles.join(', ');
  printResult(shown, [`${userName} has ${roles}.`]);
}

/** Looks up all names before it changes anything. */
async function changeRoles(
  installation: Installation,
  { user, version }: FoundUser,
  { set, add = [], remove = [] }: RoleOptions,
): Promise<ApiRecord> {
  const toIds = (names: readonly string[]) => findNamedIds(installation, 'Role', names);
  const kept = set === undefined ? toTexts(user['rolesIds']) : await toIds(set);
  const added = await toIds(add);
  const removed = new Set(await toIds(remove));
  const rolesIds = [...new Set([...kept, ...added])].filter((id) => !removed.has(id));
  const path = `/User/${user.id}`;
  const call = { method: 'PUT', path, body: { rolesIds }, ifMatch: version } as const;
  return (await callApi(installation, call)) as ApiRecord;
}

/** Throws OperatorError, before anything is changed, if a secret would be written unintentionally to a file or pipe. */
function requireSafeOutput({ isJson, output }: CommandContext): void {
  if (isJson || output.isTerminal) return;
  throw new UsageError(
    'The key or password would be written to a file or pipe: run this in a terminal, or confirm with --json.',
  );
}

function printSecrets(
  { printResult }: CommandContext,
  user: ApiRecord,
  password: string | undefined,
): void {
  const { id, userName, apiKey, secretKey } = user;
  const shown =
    password === undefined ? { id, userName, apiKey, secretKey } : { id, userName, password };
  const present = Object.entries(shown).filter(([, value]) => value != null);
  printResult(
    shown,
    present.map(([name, value]) => `${name} ${value}`),
  );
}

/** Copies only attributes without secrets: administrators can read API keys, so the response may contain them. */
function toShown(user: ApiRecord) {
  return {
    id: user.id,
    userName: String(user['userName']),
    type: String(user['type']),
    authMethod: user['authMethod'] ?? null,
    isActive: user['isActive'] === true,
    roles: toNames(user, 'roles'),
    teams: toNames(user, 'teams'),
  };
}

function toNames(user: ApiRecord, link: string): readonly string[] {
  const names = toObject(user[`${link}Names`]);
  return toTexts(user[`${link}Ids`]).map((id) => String(names[id] ?? id));
}

const toTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];
