import type { Pool } from 'pg';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import {
  liveSchema,
  quotedColumn,
  quotedTable,
  quoteName,
} from '../../../shared/db/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
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

/**
 * What the other sides of the links in `values` say, as of now: names beside ids, and foreign fields. Every id must
 * name a live record that the actor may read (api-contract, section "Link attributes"; refused with 403).
 */
export async function resolveLinks(
  deps: LinkDeps,
  {
    model,
    values,
    actor,
  }: { readonly model: EntityModel; readonly values: AttributeValues; readonly actor: Actor },
): Promise<AttributeValues> {
  const resolved: Record<string, AttributeValue> = {};
  for (const [idAttribute, companions] of companionsById(model)) {
    const value = values[idAttribute];
    if (value === undefined) continue;
    Object.assign(
      resolved,
      isEmptyLink(value)
        ? namesOfNobody(companions, value)
        : await resolveLink(deps, { companions, actor }, value),
    );
  }
  return resolved;
}

function namesOfNobody(companions: readonly Attribute[], value: AttributeValue): AttributeValues {
  return Object.fromEntries(companions.map(({ name }) => [name, value === null ? null : {}]));
}

function resolveLink(
  deps: LinkDeps,
  target: LinkTarget,
  value: AttributeValue,
): Promise<AttributeValues> {
  return Array.isArray(value)
    ? resolveMany(deps, { ...target, ids: value.map(String) })
    : resolveOne(deps, { ...target, id: String(value) });
}

function isEmptyLink(value: AttributeValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

interface LinkTarget {
  readonly companions: readonly Attribute[];
  readonly actor: Actor;
}

async function resolveOne(
  deps: LinkDeps,
  { companions, id, actor }: LinkTarget & { readonly id: string },
): Promise<AttributeValues> {
  const entityType = targetOf(companions);
  const wanted = companions.map(({ through }) => through?.attribute ?? 'name');
  const found = await readLinked(deps, { entityType, ids: [id], wanted, actor });
  const linked = found.get(id);
  if (linked === undefined) throw cannotRelateNonExisting(entityType);
  return Object.fromEntries(companions.map(({ name }, index) => [name, linked[index] ?? null]));
}

async function resolveMany(
  deps: LinkDeps,
  { companions, ids, actor }: LinkTarget & { readonly ids: readonly string[] },
): Promise<AttributeValues> {
  const entityType = targetOf(companions);
  const found = await readLinked(deps, { entityType, ids, wanted: ['name'], actor });
  if (ids.some((id) => !found.has(id))) throw cannotRelateNonExisting(entityType);
  const names = Object.fromEntries(ids.map((id) => [id, found.get(id)?.[0] ?? null]));
  return Object.fromEntries(companions.map(({ name }) => [name, names]));
}

interface LinkedQuery {
  readonly entityType: string;
  readonly ids: readonly string[];
  readonly wanted: readonly string[];
  readonly actor: Actor;
}

/** The wanted attributes of live records, by id. */
async function readLinked(
  { pool, directory }: LinkDeps,
  { entityType, ids, wanted, actor }: LinkedQuery,
): Promise<ReadonlyMap<string, readonly AttributeValue[]>> {
  const target = directory.entity(entityType);
  if (target === undefined) return new Map();
  if (target.definition.log === 'directory') {
    return new Map(
      ids.flatMap((id) => {
        const state = directory.record(entityType, id);
        if (state === undefined || state.deleted) return [];
        return [[id, wanted.map((attribute) => state.values[attribute] ?? null)] as const];
      }),
    );
  }
  const level = accessLevel(actor, entityType, 'read');
  if (level !== 'all' && level !== 'yes') throw cannotRelateForbidden(entityType);
  const columns = wanted.map(
    (name, index) => `${quotedColumn({ name })} as ${quoteName(`w${index}`)}`,
  );
  const { rows } = await orUnavailable(
    pool.query<Record<string, AttributeValue>>(
      `select id, ${columns.join(', ')} from ${quotedTable(liveSchema, entityType)}
     where id = any($1) and not deleted`,
      [ids],
    ),
  );
  return new Map(
    rows.map((row) => [String(row['id']), wanted.map((_, index) => row[`w${index}`] ?? null)]),
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

function cannotRelateForbidden(foreignEntityType: string): Refusal {
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
