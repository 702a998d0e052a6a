import { attachmentType } from '../field/types/file/file-parts.ts';
import type { RecordState } from '../record/record-state.ts';
import { toObject } from './to-object.ts';

/** From most to least: `yes` and `all` allow every record. */
export type AccessLevel = 'yes' | 'all' | 'team' | 'own' | 'no';
/** What is done with the records of a scope: a role gives a level of each. */
export type Right = 'create' | 'read' | 'edit' | 'delete' | 'stream';

/** What a user may do with a scope: everything (`true`), nothing (`false`), or a level per right. */
type ScopeAccess = boolean | Readonly<Partial<Record<Right, AccessLevel>>>;
export type AccessTable = ReadonlyMap<string, ScopeAccess>;

const rank: Readonly<Record<AccessLevel, number>> = { yes: 4, all: 3, team: 2, own: 1, no: 0 };
export const allRights: readonly Right[] = ['create', 'read', 'edit', 'delete', 'stream'];

/** Scopes that are open to everybody unless a role mentions them (docs/reference/access.md#scopes-and-levels). */
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
 * Fixed, whatever the roles say. Posts of others can be read through their parent's stream, files of others through the
 * record that holds them.
 */
const mandatory: ReadonlyMap<string, ScopeAccess> = new Map([
  ['Note', ofItsCreator],
  [attachmentType, ofItsCreator],
]);

/** Merges the `data` of several roles: per scope and right the most permissive level wins. */
export function mergeRoles(roles: readonly RecordState[]): AccessTable {
  const table = new Map<string, ScopeAccess>();
  for (const role of roles) {
    for (const [scope, granted] of Object.entries(toObject(role.values['data']))) {
      // Null is the same as a scope that is not mentioned.
      if (granted === null) continue;
      table.set(scope, mostPermissive(table.get(scope), toScopeAccess(scope, granted)));
    }
  }
  for (const [scope, access] of unmentioned) if (!table.has(scope)) table.set(scope, access);
  for (const [scope, access] of mandatory) table.set(scope, access);
  return table;
}

/**
 * The level of a right. A scope that no role mentions gives nothing. In a scope that is mentioned, a missing `create`
 * counts as yes, a missing `stream` as the level of `read`, any other missing right as no.
 */
export function levelOf(table: AccessTable, scope: string, right: Right): AccessLevel {
  const access = table.get(scope) ?? false;
  if (typeof access === 'boolean') return 'no';
  const level = access[right];
  if (level !== undefined) return level;
  if (right === 'stream') return access.read ?? 'no';
  return right === 'create' ? 'yes' : 'no';
}

/** The better one of two levels. */
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
  const said: Partial<Record<Right, AccessLevel>> = Object.fromEntries(
    allRights.flatMap((right) => {
      const level = levels[right];
      return isLevel(level) ? [[right, level]] : [];
    }),
  );
  // Defaults are filled in before merging, so that another role cannot lower them. Only administrators create users and
  // teams.
  const create = unmentioned.has(scope) ? 'no' : 'yes';
  return { create, ...(said.read === undefined ? {} : { stream: said.read }), ...said };
}
