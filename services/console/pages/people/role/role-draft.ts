import type { AnyRecord } from '../../../api/records.ts';

type Levels = Readonly<Record<string, string>>;
type FieldRights = Readonly<Record<string, Levels>>;

/** The edited permissions of a role. Permissions that are not set are absent. */
export interface RoleDraft {
  readonly name: string;
  /** Levels by permission, such as `assignmentPermission`. */
  readonly permissions: Levels;
  /** By scope: levels by action, or a boolean if access is granted or denied as a whole. */
  readonly data: Readonly<Record<string, boolean | Levels>>;
  /** `read` and `edit` levels by entity type and field. */
  readonly fieldData: Readonly<Record<string, FieldRights>>;
}

/** The API's value for a permission that is not set. */
export const unset = 'not-set';

export function toDraft(role: AnyRecord): RoleDraft {
  const permissions = Object.entries(role).flatMap(([name, value]) =>
    name.endsWith('Permission') ? [[name, typeof value === 'string' ? value : unset]] : [],
  );
  return {
    name: String(role['name'] ?? ''),
    permissions: Object.fromEntries(permissions),
    data: without(Object(role['data']), null),
    fieldData: without(Object(role['fieldData']), null),
  };
}

export function toValues({ name, permissions, data, fieldData }: RoleDraft) {
  return { name, ...permissions, data, fieldData };
}

/** Sets the access to a scope. Undefined removes the scope from the role. */
export function withScope(
  draft: RoleDraft,
  scope: string,
  granted: boolean | Levels | undefined,
): RoleDraft {
  return { ...draft, data: without({ ...draft.data, [scope]: granted }, undefined) };
}

export function withLevel(
  draft: RoleDraft,
  { scope, action }: { readonly scope: string; readonly action: string },
  level: string,
): RoleDraft {
  const before = draft.data[scope];
  const levels = typeof before === 'object' ? before : {};
  return withScope(draft, scope, without({ ...levels, [action]: level }, ''));
}

export function withFieldLevel(
  draft: RoleDraft,
  place: { readonly entity: string; readonly field: string; readonly action: string },
  level: string,
): RoleDraft {
  const { entity, field, action } = place;
  const fields = draft.fieldData[entity] ?? {};
  // A field that cannot be read cannot be edited.
  const implied = action === 'read' && level === 'no' ? { edit: 'no' } : {};
  const rights = without({ ...fields[field], ...implied, [action]: level }, '');
  const { [field]: _, ...others } = fields;
  const kept = Object.keys(rights).length === 0 ? others : { ...fields, [field]: rights };
  const { [entity]: __, ...rest } = draft.fieldData;
  const isEmpty = Object.keys(kept).length === 0;
  return { ...draft, fieldData: isEmpty ? rest : { ...draft.fieldData, [entity]: kept } };
}

export interface Difference {
  /** A scope, the name of a permission, or `name`. */
  readonly place: string;
  /** An action, or a field and an action; empty if the difference concerns the scope as a whole. */
  readonly parts: readonly string[];
  /** Empty if not set. */
  readonly before: string;
  readonly after: string;
}

export function differencesOf(before: RoleDraft, after: RoleDraft): readonly Difference[] {
  const [old, now] = [flatten(before), flatten(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [was = '', is = ''] = [old.get(key), now.get(key)];
    const [place = '', ...parts] = JSON.parse(key) as readonly string[];
    return was === is ? [] : [{ place, parts, before: was, after: is }];
  });
}

/** Returns every value by its path. */
function flatten({ name, permissions, data, fieldData }: RoleDraft): ReadonlyMap<string, string> {
  const set = without(permissions, unset);
  return new Map([{ name }, set, data, fieldData].flatMap((part) => leavesOf(part)));
}

function leavesOf(value: unknown, place: readonly string[] = []): readonly [string, string][] {
  if (typeof value === 'object') {
    return Object.entries(value ?? {}).flatMap(([part, one]) => leavesOf(one, [...place, part]));
  }
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  return [[JSON.stringify(place), text]];
}

function without<Value>(
  object: Readonly<Record<string, Value>>,
  left: unknown,
): Readonly<Record<string, Exclude<Value, undefined>>> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== left),
  ) as Readonly<Record<string, Exclude<Value, undefined>>>;
}
