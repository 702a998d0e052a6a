import type { RecordState } from '../record/record-state.ts';

/** From most to least: `yes` and `all` allow every record. */
export type AccessLevel = 'yes' | 'all' | 'team' | 'own' | 'no';
export type AccessAction = 'create' | 'read' | 'edit' | 'delete' | 'stream';

/** What a user may do with a scope: everything it has (`true`), nothing (`false`), or a level per action. */
type ScopeAccess = boolean | Readonly<Partial<Record<AccessAction, AccessLevel>>>;
export type AccessTable = ReadonlyMap<string, ScopeAccess>;

const rank: Readonly<Record<AccessLevel, number>> = { yes: 4, all: 3, team: 2, own: 1, no: 0 };
const actions: readonly AccessAction[] = ['create', 'read', 'edit', 'delete', 'stream'];

/** Merges the `data` of several roles: per scope and action the most permissive one wins. */
export function mergeRoles(roles: readonly RecordState[]): AccessTable {
  const table = new Map<string, ScopeAccess>();
  for (const role of roles) {
    for (const [scope, granted] of Object.entries(toObject(role.values['data']))) {
      table.set(scope, mostPermissive(table.get(scope), toScopeAccess(granted)));
    }
  }
  return table;
}

/** A scope that no role mentions gives nothing; a missing `create` counts as yes, any other missing action as no. */
export function levelOf(table: AccessTable, scope: string, action: AccessAction): AccessLevel {
  const access = table.get(scope) ?? false;
  if (typeof access === 'boolean') return 'no';
  return access[action] ?? (action === 'create' ? 'yes' : 'no');
}

function mostPermissive(left: ScopeAccess | undefined, right: ScopeAccess): ScopeAccess {
  if (left === undefined || left === false) return right;
  if (right === false) return left;
  if (left === true || right === true) return left === true ? right : left;
  return Object.fromEntries(
    actions.flatMap((action) => {
      const levels = [left[action], right[action]].filter((level) => level !== undefined);
      const best = levels.toSorted((a, b) => rank[b] - rank[a])[0];
      return best === undefined ? [] : [[action, best]];
    }),
  );
}

function toScopeAccess(value: unknown): ScopeAccess {
  if (typeof value === 'boolean') return value;
  const levels = toObject(value);
  return Object.fromEntries(
    actions.flatMap((action) => {
      const level = levels[action];
      return isLevel(level) ? [[action, level]] : [];
    }),
  );
}

function isLevel(value: unknown): value is AccessLevel {
  return typeof value === 'string' && Object.hasOwn(rank, value);
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
