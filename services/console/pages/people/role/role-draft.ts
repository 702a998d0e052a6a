import type { AnyRecord } from '../../../api/records.ts';

type Levels = Readonly<Record<string, string>>;
type FieldRights = Readonly<Record<string, Levels>>;

/** What a role grants, as it is being changed. What it does not say is absent. */
export interface RoleDraft {
  readonly name: string;
  /** By name, `assignmentPermission` and the like. */
  readonly permissions: Levels;
  /** By entity type: levels of actions, or granted or not. */
  readonly data: Readonly<Record<string, boolean | Levels>>;
  /** By entity type and field: `read` and `edit`. */
  readonly fieldData: Readonly<Record<string, FieldRights>>;
}

/** Nothing was said. */
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

/** Undefined: the role does not mention the scope. */
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
  const rights = without({ ...fields[field], [action]: level }, '');
  const { [field]: _, ...others } = fields;
  const kept = Object.keys(rights).length === 0 ? others : { ...fields, [field]: rights };
  const { [entity]: __, ...rest } = draft.fieldData;
  const isEmpty = Object.keys(kept).length === 0;
  return { ...draft, fieldData: isEmpty ? rest : { ...draft.fieldData, [entity]: kept } };
}

/** One value that two drafts differ in. */
export interface Difference {
  /** An entity type, or what is no matter of one. */
  readonly place: string;
  /** An action, or a field and an action; empty for the place as a whole. */
  readonly parts: readonly string[];
  /** Empty for what is not said. */
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

/** Every value by where it stands. */
function flatten({ name, permissions, data, fieldData }: RoleDraft): ReadonlyMap<string, string> {
  const said = without(permissions, unset);
  return new Map([{ name }, said, data, fieldData].flatMap((part) => leavesOf(part)));
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
