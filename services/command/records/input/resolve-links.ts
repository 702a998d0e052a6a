import type { Pool } from 'pg';
import { orUnavailable } from '../../../../shared/db/outage-of.ts';
import { rowCondition } from '../../../../shared/db/sql/row-condition.ts';
import {
  liveTable,
  quotedColumn,
  quoteName,
} from '../../../../shared/db/tables/read-model-names.ts';
import type { Right } from '../../../../shared/domain/access/access-table.ts';
import type { Actor } from '../../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { perModel } from '../../../../shared/domain/entity/model/per-model.ts';
import { Refusal } from '../../../../shared/domain/errors.ts';
import type { Attribute } from '../../../../shared/domain/field/attribute.ts';
import { attachmentType } from '../../../../shared/domain/field/types/file/file-parts.ts';
import { parentFields } from '../../../../shared/domain/input/find-missing-fields.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../../shared/domain/value/attribute-values.ts';
import type { Acting } from '../../owner/command.ts';
import {
  cannotRelateForbidden,
  cannotRelateNonExisting,
  type LinkSide,
  misplacedFile,
  noLinkAccess,
} from './link-refusals.ts';

/** The sources of linked records: Postgres for most, memory for directory records. */
export interface ReadModels {
  readonly pool: Pool;
  readonly directory: Directory;
}

/** Links that a request sets. */
interface LinkRequest extends Acting {
  readonly values: AttributeValues;
}

export type ResolveLinks = (request: LinkRequest) => Promise<ResolvedLinks>;

export interface ResolvedLinks {
  /** The current names of linked records, and the values for foreign fields. */
  readonly values: AttributeValues;
  /** Ids to which the actor may not link. Existing links to them may stay. */
  readonly unreadable: readonly UnreadableLink[];
}

interface UnreadableLink {
  readonly idAttribute: string;
  readonly ids: readonly string[];
  /** The refusal for new links to these ids. */
  readonly refusal: Refusal;
}

/** The result for `values` without links. */
export const noLinks: ResolvedLinks = { values: {}, unreadable: [] };

/**
 * Reads the names of the records that `values` link to. Rejects ids of missing and deleted records
 * (docs/reference/espocrm-compatibility.md#refused-links).
 */
export async function resolveLinks(
  context: ReadModels,
  { model, values, actor }: LinkRequest,
): Promise<ResolvedLinks> {
  const linked: Record<string, AttributeValue> = {};
  const unreadable: UnreadableLink[] = [];
  const add = (resolved: ResolvedLinks): void => {
    Object.assign(linked, resolved.values);
    unreadable.push(...resolved.unreadable);
  };
  for (const link of linksOfModel(model)) {
    const value = values[link.idAttribute];
    if (value === undefined) continue;
    // Empty links are resolved without awaiting: a creation includes all links of its model, and most are empty.
    const empty = valuesOfEmpty(link, value);
    if (empty === undefined) add(await resolveLink(context, { model, link, actor }, value));
    else Object.assign(linked, empty);
  }
  for (const field of parentFields(model)) {
    add(await resolveParent(context, { model, values, actor }, field));
  }
  return { values: linked, unreadable };
}

/** A parent is identified by type and id. */
async function resolveParent(
  context: ReadModels,
  { values, actor }: LinkRequest,
  field: string,
): Promise<ResolvedLinks> {
  const idAttribute = `${field}Id`;
  const id = values[idAttribute];
  const entityType = values[`${field}Type`];
  if (id === undefined && entityType === undefined) return noLinks;
  if (typeof id !== 'string' || typeof entityType !== 'string') {
    return {
      values: { [idAttribute]: null, [`${field}Type`]: null, [`${field}Name`]: null },
      unreadable: [],
    };
  }
  const found = await readLinked(context, { entityType, ids: [id], wanted: ['name'], actor });
  const parent = found.get(id);
  if (parent === undefined) throw cannotRelateNonExisting(entityType);
  return {
    values: { [`${field}Name`]: parent.values[0] ?? null },
    unreadable: parent.isReadable
      ? []
      : [{ idAttribute, ids: [id], refusal: cannotRelateForbidden(entityType) }],
  };
}

/** Rejects new links to records that the actor may not read. `current` is undefined for a new record. */
export function requireReadableLinks(
  { unreadable }: ResolvedLinks,
  current: AttributeValues | undefined,
): void {
  for (const { idAttribute, ids, refusal } of unreadable) {
    const linked = [current?.[idAttribute] ?? []].flat();
    if (!ids.every((id) => linked.includes(id))) throw refusal;
  }
}

interface LinkTarget extends Acting {
  readonly link: ModelLink;
}

async function resolveLink(
  context: ReadModels,
  { model, link: { idAttribute, companions }, actor }: LinkTarget,
  value: AttributeValue,
): Promise<ResolvedLinks> {
  const entityType = companions[0]?.through?.entityType ?? '';
  const isMany = Array.isArray(value);
  const ids = [value ?? []].flat().map(String);
  const shown = companions.map(({ through }) => through?.attribute ?? 'name');
  const isFile = entityType === attachmentType;
  const wanted = isFile ? [...shown, ...placeAttributes] : shown;
  const found = await readLinked(context, { entityType, ids, wanted, actor });
  if (ids.some((id) => !found.has(id))) throw cannotRelateNonExisting(entityType);
  const shownOf = (id: string, index: number) => found.get(id)?.values[index] ?? null;
  const hidden = ids.filter((id) => found.get(id)?.isReadable === false);
  const field = companions[0]?.field ?? '';
  const isElsewhere = (id: string) =>
    !isPlacedIn({ model, field }, found.get(id)?.values.slice(shown.length) ?? []);
  const misplaced = isFile ? ids.filter(isElsewhere) : [];
  const unreadable: UnreadableLink[] = [];
  if (hidden.length > 0) {
    unreadable.push({ idAttribute, ids: hidden, refusal: cannotRelateForbidden(entityType) });
  }
  if (misplaced.length > 0) {
    unreadable.push({ idAttribute, ids: misplaced, refusal: misplacedFile(field) });
  }
  return {
    unreadable,
    values: Object.fromEntries(
      companions.map(({ name }, index) => [
        name,
        isMany
          ? Object.fromEntries(ids.map((id) => [id, shownOf(id, index)]))
          : shownOf(ids[0] ?? '', index),
      ]),
    ),
  };
}

/** The attributes that name the field for which an attachment was uploaded. */
const placeAttributes = ['field', 'relatedType', 'parentType'];

function isPlacedIn(
  { model, field }: { readonly model: EntityModel; readonly field: string },
  [ofField, relatedType, parentType]: readonly AttributeValue[],
): boolean {
  return ofField === field && (relatedType ?? parentType) === model.name;
}

interface LinkedQuery {
  readonly entityType: string;
  readonly ids: readonly string[];
  readonly actor: Actor;
  readonly wanted: readonly string[];
  /** The permission that `isReadable` tests; `read` if absent. */
  readonly right?: Right;
}

interface LinkedRecord {
  readonly values: readonly AttributeValue[];
  readonly isReadable: boolean;
}

interface EditRequest {
  readonly entityType: string;
  readonly ids: readonly string[];
  readonly actor: Actor;
  /** The side of the link on which these records are. */
  readonly side: LinkSide;
}

export type RequireEditable = (request: EditRequest) => Promise<void>;

/** Rejects ids of records that are missing (404) or that the actor may not edit (403). */
export async function requireEditable(
  context: ReadModels,
  { side, entityType, ids, actor }: EditRequest,
): Promise<void> {
  const found = await readLinked(context, { entityType, ids, wanted: [], actor, right: 'edit' });
  const missing = ids.some((id) => !found.has(id));
  if (missing) {
    throw new Refusal(
      'not_found',
      'record.not_found',
      `At least one of these ${entityType} records does not exist.`,
    );
  }
  const isDirectory = context.directory.entity(entityType)?.definition.log === 'directory';
  const isDenied = isDirectory
    ? actor.type !== 'admin'
    : ids.some((id) => found.get(id)?.isReadable === false);
  if (isDenied) throw noLinkAccess(side, entityType);
}

/** Reads attributes of live records, by id. */
async function readLinked(
  { pool, directory }: ReadModels,
  { entityType, ids, wanted, actor, right = 'read' }: LinkedQuery,
): Promise<ReadonlyMap<string, LinkedRecord>> {
  const target = directory.entity(entityType);
  if (target === undefined || ids.length === 0) return new Map();
  if (target.definition.log === 'directory') {
    // The existence of users is not secret, and a separate rule restricts assignments.
    return new Map(
      ids.flatMap((id) => {
        const state = directory.record(entityType, id);
        if (state === undefined || state.deleted) return [];
        const values = wanted.map((attribute) => state.values[attribute] ?? null);
        return [[id, { values, isReadable: true }] as const];
      }),
    );
  }
  const columns = wanted.map(
    (name, index) => `${quotedColumn({ name })} as ${quoteName(`w${index}`)}`,
  );
  const readable = permittedRows(actor, target, right);
  const { rows } = await orUnavailable(
    pool.query<Record<string, AttributeValue>>(
      `with viewer as (select $2::text as id, $3::text[] as teams)
       select ${['id', `${readable} as "$readable"`, ...columns].join(', ')}
       from ${liveTable(entityType)} t where id = any($1) and not deleted`,
      [ids, actor.id, actor.teamIds],
    ),
  );
  return new Map(
    rows.map((row) => [
      String(row['id']),
      {
        values: wanted.map((_, index) => row[`w${index}`] ?? null),
        isReadable: row['$readable'] === true,
      },
    ]),
  );
}

/**
 * Returns SQL for the rows of a table `t` that the permission covers. The statement must begin with a table `viewer`,
 * which contains the actor's id and teams.
 */
export function permittedRows(actor: Actor, model: EntityModel, right: Right): string {
  const viewer = {
    id: '(select v.id from viewer v)',
    teams: '(select v.teams from viewer v)::text[]',
  };
  return rowCondition({ actor, model, right }, 't', viewer) ?? 'true';
}

/** A link that clients can set. */
interface ModelLink {
  /** The attribute with the id, or the list of ids. */
  readonly idAttribute: string;
  /** The attributes that are derived from the linked records. */
  readonly companions: readonly Attribute[];
  /** The values of the companions if the id is null. */
  readonly withoutId: AttributeValues;
  /** The values of the companions if the list of ids is empty. */
  readonly withoutIds: AttributeValues;
}

const linksOfModel = perModel((model): readonly ModelLink[] => {
  const following = model.attributes.filter(
    ({ through }) => through !== undefined && model.attribute.get(through.idAttribute)?.writable,
  );
  const byId = Map.groupBy(following, ({ through }) => through?.idAttribute ?? '');
  return [...byId].map(([idAttribute, companions]) => ({
    idAttribute,
    companions,
    withoutId: Object.fromEntries(companions.map(({ name }) => [name, null])),
    withoutIds: Object.fromEntries(companions.map(({ name }) => [name, {}])),
  }));
});

/** Returns the values of the companions of an empty link; undefined if `value` contains an id. */
function valuesOfEmpty(
  { withoutId, withoutIds }: ModelLink,
  value: AttributeValue,
): AttributeValues | undefined {
  if (value === null) return withoutId;
  return Array.isArray(value) && value.length === 0 ? withoutIds : undefined;
}
