import type { Pool } from 'pg';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import {
  liveSchema,
  quotedColumn,
  quotedTable,
  quoteName,
} from '../../../shared/db/read-model-names.ts';
import { rowCondition } from '../../../shared/db/row-condition.ts';
import type { AccessAction } from '../../../shared/domain/access/access-table.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { Attribute } from '../../../shared/domain/entity/attributes.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/record/attribute-values.ts';

interface LinkDeps {
  readonly pool: Pool;
  readonly directory: Directory;
}

/** Links that a request wants to set. */
interface LinkRequest {
  readonly model: EntityModel;
  readonly values: AttributeValues;
  readonly actor: Actor;
}

export type ResolveLinks = (request: LinkRequest) => Promise<ResolvedLinks>;

export interface ResolvedLinks {
  /** Names beside ids, and foreign fields, as of now. */
  readonly values: AttributeValues;
  /** Ids that the actor may not read: only a record that is linked with them already may stay so. */
  readonly unreadable: readonly UnreadableLink[];
}

interface UnreadableLink {
  readonly idAttribute: string;
  readonly entityType: string;
  readonly ids: readonly string[];
}

/** What `values` without any link come to. */
export const noLinks: ResolvedLinks = { values: {}, unreadable: [] };

/**
 * What the other sides of the links in `values` say. Every id must name a live record (api-contract, section "Link
 * attributes"; refused with 403).
 */
export async function resolveLinks(
  deps: LinkDeps,
  { model, values, actor }: LinkRequest,
): Promise<ResolvedLinks> {
  const resolved: Record<string, AttributeValue> = {};
  const unreadable: UnreadableLink[] = [];
  for (const [idAttribute, companions] of companionsById(model)) {
    const value = values[idAttribute];
    if (value === undefined) continue;
    if (isEmptyLink(value)) {
      Object.assign(resolved, namesOfNobody(companions, value));
      continue;
    }
    const { named, hidden } = await resolveLink(deps, { companions, actor }, value);
    Object.assign(resolved, named);
    if (hidden.length > 0) {
      unreadable.push({ idAttribute, entityType: targetOf(companions), ids: hidden });
    }
  }
  for (const [field, definition] of model.fields) {
    if (definition.type !== 'linkParent') continue;
    const parent = await resolveParent(deps, { field, values, actor });
    if (parent === undefined) continue;
    Object.assign(resolved, parent.named);
    unreadable.push(...parent.unreadable);
  }
  return { values: resolved, unreadable };
}

/** A parent is named by type and id together; undefined if neither is touched. */
async function resolveParent(
  deps: LinkDeps,
  { field, values, actor }: Pick<LinkRequest, 'values' | 'actor'> & { readonly field: string },
): Promise<
  { readonly named: AttributeValues; readonly unreadable: readonly UnreadableLink[] } | undefined
> {
  const idAttribute = `${field}Id`;
  const id = values[idAttribute];
  const entityType = values[`${field}Type`];
  if (id === undefined && entityType === undefined) return undefined;
  if (typeof id !== 'string' || typeof entityType !== 'string') {
    return {
      named: { [idAttribute]: null, [`${field}Type`]: null, [`${field}Name`]: null },
      unreadable: [],
    };
  }
  const found = await readLinked(deps, { entityType, ids: [id], wanted: ['name'], actor });
  const parent = found.get(id);
  if (parent === undefined) throw cannotRelateNonExisting(entityType);
  return {
    named: { [`${field}Name`]: parent.values[0] ?? null },
    unreadable: parent.isReadable ? [] : [{ idAttribute, entityType, ids: [id] }],
  };
}

/** Refuses to link with what the actor may not read. `current` is undefined for a new record (api-facts 9.7). */
export function requireReadableLinks(
  { unreadable }: ResolvedLinks,
  current: AttributeValues | undefined,
): void {
  for (const { idAttribute, entityType, ids } of unreadable) {
    const linked = [current?.[idAttribute] ?? []].flat();
    if (!ids.every((id) => linked.includes(id))) throw cannotRelateForbidden(entityType);
  }
}

function namesOfNobody(companions: readonly Attribute[], value: AttributeValue): AttributeValues {
  return Object.fromEntries(companions.map(({ name }) => [name, value === null ? null : {}]));
}

function isEmptyLink(value: AttributeValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

interface LinkTarget {
  readonly companions: readonly Attribute[];
  readonly actor: Actor;
}

interface ResolvedLink {
  readonly named: AttributeValues;
  readonly hidden: readonly string[];
}

async function resolveLink(
  deps: LinkDeps,
  { companions, actor }: LinkTarget,
  value: AttributeValue,
): Promise<ResolvedLink> {
  const entityType = targetOf(companions);
  const isMany = Array.isArray(value);
  const ids = isMany ? value.map(String) : [String(value)];
  const wanted = isMany ? ['name'] : companions.map(({ through }) => through?.attribute ?? 'name');
  const found = await readLinked(deps, { entityType, ids, wanted, actor });
  if (ids.some((id) => !found.has(id))) throw cannotRelateNonExisting(entityType);
  const shown = (id: string, index: number) => found.get(id)?.values[index] ?? null;
  return {
    hidden: ids.filter((id) => found.get(id)?.isReadable === false),
    named: Object.fromEntries(
      companions.map(({ name }, index) => [
        name,
        isMany
          ? Object.fromEntries(ids.map((id) => [id, shown(id, 0)]))
          : shown(ids[0] ?? '', index),
      ]),
    ),
  };
}

interface LinkedQuery {
  /** What `isReadable` is about; reading if absent. */
  readonly action?: AccessAction;
  readonly entityType: string;
  readonly ids: readonly string[];
  readonly wanted: readonly string[];
  readonly actor: Actor;
}

interface LinkedRecord {
  readonly values: readonly AttributeValue[];
  readonly isReadable: boolean;
}

/** Refuses ids of records that are missing (404), or that the actor may not edit (403). */
export async function requireEditable(
  deps: LinkDeps,
  { entityType, ids, actor }: Pick<LinkedQuery, 'entityType' | 'ids' | 'actor'>,
): Promise<void> {
  const found = await readLinked(deps, { entityType, ids, wanted: [], actor, action: 'edit' });
  const missing = ids.some((id) => !found.has(id));
  if (missing) {
    throw new Refusal('not_found', 'record.not_found', `A ${entityType} of these does not exist.`);
  }
  const isDirectory = deps.directory.entity(entityType)?.definition.log === 'directory';
  const isDenied = isDirectory
    ? actor.type !== 'admin'
    : ids.some((id) => found.get(id)?.isReadable === false);
  if (!isDenied) return;
  throw new Refusal('forbidden', 'link.no_access', `No edit access to a ${entityType} of these.`, {
    messageTranslation: {
      label: 'noAccessToForeignRecord',
      scope: null,
      data: { action: 'edit' },
    },
  });
}

/** The wanted attributes of live records, by id. */
async function readLinked(
  { pool, directory }: LinkDeps,
  { entityType, ids, wanted, actor, action = 'read' }: LinkedQuery,
): Promise<ReadonlyMap<string, LinkedRecord>> {
  const target = directory.entity(entityType);
  if (target === undefined) return new Map();
  if (target.definition.log === 'directory') {
    // Whether somebody may be assigned is a rule of its own; that they exist is no secret.
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
  const viewer = {
    id: '(select v.id from viewer v)',
    teams: '(select v.teams from viewer v)::text[]',
  };
  const readable = rowCondition({ actor, model: target, action }, 't', viewer) ?? 'true';
  const { rows } = await orUnavailable(
    pool.query<Record<string, AttributeValue>>(
      `with viewer as (select $2::text as id, $3::text[] as teams)
       select ${['id', `${readable} as "$readable"`, ...columns].join(', ')}
       from ${quotedTable(liveSchema, entityType)} t where id = any($1) and not deleted`,
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

const companionsOfModel = new WeakMap<EntityModel, ReadonlyMap<string, readonly Attribute[]>>();

/** Per id attribute of a link that clients may set: the attributes that follow from it. */
function companionsById(model: EntityModel): ReadonlyMap<string, readonly Attribute[]> {
  const known = companionsOfModel.get(model);
  if (known !== undefined) return known;
  const following = model.attributes.filter(
    ({ through }) => through !== undefined && model.attribute.get(through.idAttribute)?.writable,
  );
  const built = Map.groupBy(following, ({ through }) => through?.idAttribute ?? '');
  companionsOfModel.set(model, built);
  return built;
}

function targetOf(companions: readonly Attribute[]): string {
  return companions[0]?.through?.entityType ?? '';
}

function cannotRelateNonExisting(foreignEntityType: string): Refusal {
  return new Refusal(
    'forbidden',
    'link.non_existing',
    `Cannot relate with a non-existing ${foreignEntityType} record.`,
    {
      messageTranslation: {
        label: 'cannotRelateNonExisting',
        scope: null,
        data: { foreignEntityType },
      },
    },
  );
}

export function cannotRelateForbidden(foreignEntityType: string): Refusal {
  return new Refusal(
    'forbidden',
    'link.forbidden',
    `Cannot relate with a ${foreignEntityType} record: no read access.`,
    {
      messageTranslation: {
        label: 'cannotRelateForbidden',
        scope: null,
        data: { foreignEntityType, action: 'read' },
      },
    },
  );
}
