import { callApi } from '../call-api.ts';
import type { CommandContext } from '../command-context.ts';
import { toTable } from '../to-table.ts';
import { findUser } from '../users/find-records.ts';

type Levels = Readonly<Record<string, string>>;

interface Acl {
  readonly table: Readonly<Record<string, boolean | Levels>>;
  readonly fieldTable: Readonly<Record<string, Readonly<Record<string, Levels>>>>;
  readonly assignmentPermission: string;
  readonly [permission: `${string}Permission`]: string;
}

const actions = ['create', 'read', 'edit', 'delete', 'stream'];
/** Entity types whose records belong to their creators. */
const ownedByCreator: ReadonlySet<string> = new Set(['Note', 'Attachment']);

/** `annals user acl`: prints the merged permissions of a user's roles. */
export async function userAcl(
  { installation, printResult }: CommandContext,
  userName: string,
): Promise<void> {
  const { user } = await findUser(installation, userName);
  const path = `/User/${user.id}/acl`;
  const acl = (await callApi(installation, { method: 'GET', path })) as Acl;
  const type = String(user['type']);
  const notes = hiddenFromCreator(userName, type, acl);
  printResult({ id: user.id, userName, type, acl, notes }, [...describeAcl(acl), ...notes]);
}

/** Returns warnings about record types that the user can create but not read afterwards. */
export function hiddenFromCreator(userName: string, type: string, acl: Acl): readonly string[] {
  const hidden = Object.entries(acl.table).flatMap(([scope, levels]) =>
    typeof levels === 'object' &&
    levels['create'] === 'yes' &&
    !ownedByCreator.has(scope) &&
    (levels['read'] === 'no' || !isAssignedAnyway(type, scope, acl))
      ? [{ scope, read: levels['read'] }]
      : [],
  );
  const at = (level: string) =>
    hidden.filter(({ read }) => read === level).map(({ scope }) => scope);
  const describeHidden = (scopes: readonly string[], what: string) =>
    scopes.length === 0
      ? []
      : [`${scopes.join(', ')}: ${userName} can create records, but ${what}`];
  return [
    ...describeHidden(at('no'), 'cannot read them afterwards.'),
    ...describeHidden(at('own'), 'can read them only as the assigned user.'),
    ...describeHidden(
      at('team'),
      'can read them only as the assigned user or through a common team.',
    ),
  ];
}

/**
 * Records that are created by users who may not choose the assigned user are assigned to their creators
 * (docs/reference/access.md#assignment).
 */
function isAssignedAnyway(type: string, scope: string, acl: Acl): boolean {
  if (type === 'api') return false;
  const isClosed = acl.fieldTable[scope]?.['assignedUser']?.['edit'] === 'no';
  return isClosed || acl.assignmentPermission === 'no';
}

function describeAcl(acl: Acl): readonly string[] {
  const scopes = Object.entries(acl.table);
  const rows = scopes.flatMap(([scope, levels]) =>
    typeof levels === 'object' ? [[scope, ...actions.map((action) => levels[action] ?? '')]] : [],
  );
  const granted = scopes.flatMap(([scope, access]) => (access === true ? [scope] : []));
  const closed = (['read', 'edit'] as const).flatMap((action) =>
    Object.entries(acl.fieldTable).flatMap(([scope, fields]) => {
      const names = Object.keys(fields).filter((field) => fields[field]?.[action] === 'no');
      return names.length === 0 ? [] : [`no ${action} of ${scope}: ${names.join(', ')}`];
    }),
  );
  const permissions = Object.entries(acl).flatMap(([name, level]) =>
    name.endsWith('Permission') && level !== 'no' ? [`${name} ${String(level)}`] : [],
  );
  return [
    ...toTable([['scope', ...actions], ...rows]),
    `granted: ${granted.join(', ') || 'none'}`,
    ...closed,
    `permissions: ${permissions.join(', ') || 'none'}`,
  ];
}
