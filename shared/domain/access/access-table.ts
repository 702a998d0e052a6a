import { attachmentType } from '../field/types/file/file-parts.ts';
import type { RecordState } from '../record/record-state.ts';
import { toObject } from '../value/attribute-values.ts';

/** Ordered from most to least permissive. `yes` and `all` allow every record. */
export type AccessLevel = 'yes' | 'all' | 'team' | 'own' | 'no';
/** The possible operations on the records of a scope. Roles grant a level for each right. */
export type Right = 'create' | 'read' | 'edit' | 'delete' | 'stream';

/** Access to a scope: everything (`true`), nothing (`false`), or a level per right. */
type ScopeAccess = boolean | Readonly<Partial<Record<Right, AccessLevel>>>;
export type AccessTable = ReadonlyMap<string, ScopeAccess>;

const rank: Readonly<Record<AccessLevel, number>> = { yes: 4, all: 3, team: 2, own: 1, no: 0 };
export const allRights: readonly Right[] = ['create', 'read', 'edit', 'delete', 'stream'];

/** Default access to scopes that no role mentions (docs/reference/access.md#scopes-and-levels). */
const unmentioned: ReadonlyMap<string, ScopeAccess> = new Map([
  ['User', { create: 'no', read: 'own', edit: 'no', delete: 'no' }],
  ['Team', { create: 'no', read: 'team', edit: 'no', delete: 'no' }],
]);

const ofItsCreator: ScopeAccess = {
  create: 'yes',
  read: 'own',
  edit: 'own',
  delete: 'own',
  stream: 'no',
};

/**
 * Access that applies regardless of roles. Other users' notes can be read through the parent's stream, and other users'
 * attachments through the record that contains them.
 */
const mandatory: ReadonlyMap<string, ScopeAccess> = new Map([
  ['Note', ofItsCreator],
  [attachmentType, ofItsCreator],
]);

/** Merges the `data` of several roles: for each scope and right, the most permissive level wins. */
export function mergeRoles(roles: readonly RecordState[]): AccessTable {
  const table = new Map<string, ScopeAccess>();
  for (const role of roles) {
    for (const [scope, granted] of Object.entries(toObject(role.values['data']))) {
      // Null means that the role does not mention the scope.
      if (granted === null) continue;
      table.set(scope, mostPermissive(table.get(scope), toScopeAccess(scope, granted)));
    }
  }
  for (const [scope, access] of unmentioned) if (!table.has(scope)) table.set(scope, access);
  for (const [scope, access] of mandatory) table.set(scope, access);
  return table;
}

/**
 * Returns the level for a right. A scope that no role mentions grants nothing. In a mentioned scope, a missing `create`
 * defaults to yes, a missing `stream` to the level of `read`, and any other missing right to no.
 */
export function levelOf(table: AccessTable, scope: string, right: Right): AccessLevel {
  const access = table.get(scope) ?? false;
  if (typeof access === 'boolean') return 'no';
  const level = access[right];
  if (level !== undefined) return level;
  if (right === 'stream') return access.read ?? 'no';
  return right === 'create' ? 'yes' : 'no';
}

/** Returns the more permissive of two levels. */
export function betterLevel(left: AccessLevel, right: AccessLevel): AccessLevel {
  return rank[right] > rank[left] ? right : left;
}

export function isLevel(value: unknown): value is AccessLevel {
  return typeof value === 'string' && Object.hasOwn(rank, value);
}

function mostPermissive(one: ScopeAccess | undefined, other: ScopeAccess): ScopeAccess {
  if (typeof other === 'boolean') return one || other;
  if (typeof one !== 'object') return other;
  return Object.fromEntries(
    allRights.flatMap((right) => {
      const levels = [one[right], other[right]].filter((level) => level !== undefined);
      return levels.length === 0 ? [] : [[right, levels.reduce(betterLevel)]];
    }),
  );
}

function toScopeAccess(scope: string, value: unknown): ScopeAccess {
  if (typeof value === 'boolean') return value;
  const levels = toObject(value);
  const explicit: Partial<Record<Right, AccessLevel>> = Object.fromEntries(
    allRights.flatMap((right) => {
      const level = levels[right];
      return isLevel(level) ? [[right, level]] : [];
    }),
  );
  // The defaults apply before merging, so that another role cannot lower them. Only administrators create users and
  // teams.
  const create = unmentioned.has(scope) ? 'no' : 'yes';
  return { create, ...(explicit.read === undefined ? {} : { stream: explicit.read }), ...explicit };
}
