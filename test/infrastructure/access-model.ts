import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../shared/domain/value/attribute-values.ts';
import {
  computedFrom,
  type LinkedAttribute,
  linkedAttributes,
  ownAttributes,
  type Scope,
} from './access-attributes.ts';

/*
 * A second implementation of the access rules, from docs/reference/access.md: slow, and independent of the
 * product's own rules.
 */

export interface StoredRecord {
  readonly scope: Scope;
  readonly id: string;
  readonly deleted: boolean;
  readonly values: AttributeValues;
  /** In order, the oldest first. */
  readonly events: readonly RecordEvent[];
}

type Levels = Readonly<Record<string, string>>;

/** In the form of the log. */
export interface Role {
  readonly data: Readonly<Record<string, boolean | Levels>>;
  readonly fieldData: Readonly<Record<string, Readonly<Record<string, Levels>>>>;
  readonly userCalendarPermission: string;
}

export interface Viewer {
  readonly id: string;
  readonly type: string;
  readonly teamIds: readonly string[];
  /** The user's own roles and those of the user's teams. */
  readonly roles: readonly Role[];
}

/** Entity types that may be parents. */
const parentScopes = ['Account', 'Lead', 'Contact', 'Opportunity', 'Case'];
const unmentioned: Readonly<Record<string, Levels>> = {
  User: { read: 'own' },
  Team: { read: 'team' },
};
const ranks = ['no', 'own', 'team', 'all', 'yes'];

/** Returns the most permissive level of all roles that mention the scope. */
export function levelOf({ type, roles }: Viewer, scope: string, action: string): string {
  if (type === 'admin') return 'all';
  const granted = roles.map(({ data }) => data[scope]).filter((access) => access !== undefined);
  const mentioned = granted.length === 0 ? [unmentioned[scope] ?? {}] : granted;
  const levels = mentioned.flatMap((access) => {
    if (typeof access === 'boolean') return [];
    const inherited = action === 'stream' ? access['read'] : undefined;
    return access[action] ?? inherited ?? 'no';
  });
  return levels.toSorted((one, other) => ranks.indexOf(other) - ranks.indexOf(one))[0] ?? 'no';
}

/** Returns the level of users whose calendars the viewer may see, in addition to the viewer's own calendar. */
export function calendarLevelOf({ type, roles }: Viewer): string {
  if (type === 'admin') return 'all';
  const levels = roles.map((role) => role.userCalendarPermission);
  return ['all', 'team'].find((level) => levels.includes(level)) ?? 'no';
}

/**
 * A field is open if at least one of the roles that mention it opens it; a computed field also needs its
 * sources.
 */
export function isOpen(viewer: Viewer, scope: string, field: string): boolean {
  const { type, roles } = viewer;
  if (type === 'admin') return true;
  const sources = computedFrom[`${scope}.${field}`] ?? [];
  if (!sources.every((source) => isOpen(viewer, scope, source))) return false;
  const mentioned = roles
    .map(({ fieldData }) => fieldData[scope]?.[field])
    .filter((rights) => rights !== undefined);
  return mentioned.length === 0 || mentioned.some((rights) => rights['read'] !== 'no');
}

/** True if a level of the viewer includes the record, whether or not it is deleted. */
export function reaches(viewer: Viewer, { scope, values }: StoredRecord, action: string): boolean {
  const level = levelOf(viewer, scope, action);
  if (level === 'all') return true;
  if (level === 'no') return false;
  const isOwn =
    values['assignedUserId'] === viewer.id ||
    listOf(values['collaboratorsIds']).includes(viewer.id);
  const isShared = listOf(values['teamsIds']).some((id) => viewer.teamIds.includes(id));
  return isOwn || (level === 'team' && isShared);
}

export function mayRead(viewer: Viewer, record: StoredRecord): boolean {
  return viewer.type === 'admin' || (!record.deleted && reaches(viewer, record, 'read'));
}

export function seesStream(viewer: Viewer, record: StoredRecord): boolean {
  return mayRead(viewer, record) && reaches(viewer, record, 'stream');
}

/** Returns the modelled attributes that a read of the record shows. */
export function shownOf(
  viewer: Viewer,
  record: StoredRecord,
  records: readonly StoredRecord[],
): Readonly<Record<string, unknown>> {
  return {
    ...ownShown(viewer, record.scope, record.values),
    ...shownLinked(viewer, record.scope, (linkedAttribute) => {
      const nameOf = (id: string) => {
        const scope = linkedAttribute.scope ?? record.values['parentType'];
        const linked = records.find((one) => one.id === id && one.scope === scope);
        const isShown =
          linked !== undefined &&
          reaches(viewer, linked, 'read') &&
          isOpen(viewer, linked.scope, linkedAttribute.attribute);
        return isShown ? (linked.values[linkedAttribute.attribute] ?? null) : null;
      };
      const ids = record.values[linkedAttribute.idAttribute] ?? null;
      if (!linkedAttribute.idAttribute.endsWith('Ids'))
        return ids === null ? null : nameOf(String(ids));
      return Object.fromEntries(listOf(ids).map((id) => [id, nameOf(id)]));
    }),
  };
}

/** Returns what a read as of some of its events shows: with current permissions, but the names of that time. */
export function shownOfPast(
  viewer: Viewer,
  { scope, events }: StoredRecord,
  version: number,
): Readonly<Record<string, unknown>> {
  const values: Record<string, AttributeValue> = {};
  for (const event of events.slice(0, version)) {
    for (const { attribute, after } of event.changes) values[attribute] = after;
  }
  const [created] = events;
  values['createdById'] = created?.actorId ?? null;
  values['createdAt'] = timeOf(created?.occurredAt ?? 0);
  const { accountType: _, ...shown } = {
    ...ownShown(viewer, scope, values),
    ...shownLinked(viewer, scope, (_linkedAttribute, name) => {
      return isChangeVisible(viewer, scope, name) ? (values[name] ?? emptyOf(name)) : emptyOf(name);
    }),
  };
  return shown;
}

function ownShown(viewer: Viewer, scope: Scope, values: AttributeValues) {
  return Object.fromEntries(
    Object.entries(ownAttributes[scope])
      .filter(([, field]) => isOpen(viewer, scope, field))
      .map(([name]) => [name, values[name] ?? emptyOf(name)]),
  );
}

function shownLinked(
  viewer: Viewer,
  scope: Scope,
  show: (linkedAttribute: LinkedAttribute, name: string) => unknown,
) {
  return Object.fromEntries(
    Object.entries(linkedAttributes[scope])
      .filter(([, linkedAttribute]) => isLinkedOpen(viewer, scope, linkedAttribute))
      .map(([name, linkedAttribute]) => [name, show(linkedAttribute, name)]),
  );
}

export function isLinkedOpen(
  viewer: Viewer,
  scope: Scope,
  linkedAttribute: LinkedAttribute,
): boolean {
  const { field, attribute } = linkedAttribute;
  return (
    isOpen(viewer, scope, field) &&
    (linkedAttribute.scope === undefined || isOpen(viewer, linkedAttribute.scope, attribute))
  );
}

/**
 * True if changes of the attribute are visible. Past names need read access to all records that may have had
 * them.
 */
export function isChangeVisible(viewer: Viewer, scope: Scope, name: string): boolean {
  const field = ownAttributes[scope][name];
  if (field !== undefined) return isOpen(viewer, scope, field);
  const linkedAttribute = linkedAttributes[scope][name];
  if (linkedAttribute === undefined || !isLinkedOpen(viewer, scope, linkedAttribute)) return false;
  const scopes = linkedAttribute.scope === undefined ? parentScopes : [linkedAttribute.scope];
  return scopes.every(
    (one) =>
      levelOf(viewer, one, 'read') === 'all' && isOpen(viewer, one, linkedAttribute.attribute),
  );
}

export function emptyOf(attribute: string) {
  if (/s(?:Names|Columns)$/.test(attribute)) return {};
  return /sIds$|Data$/.test(attribute) ? [] : null;
}

export function listOf(value: AttributeValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
