import { createHash } from 'node:crypto';
import type { Attribute, AttributeKind } from '../../domain/field/attribute.ts';

/** The schema that queries read. A rebuild fills another schema, which then gets this name. */
export const liveSchema = 'annals';

/** The schema that a rebuild fills. */
export const rebuildSchema = 'annals_rebuild';

/** The advisory lock of who fills it: one rebuild at a time. An arbitrary number, the same in every process. */
export const rebuildLock = 0x72656275;

/** A former live schema: `annals_before_` and the time in UTC, YYYYMMDDHHMMSSmmm. */
export const formerSchemaPrefix = 'annals_before_';

/** NOTIFY channel for the projector's progress. */
export const projectedChannel = 'annals_projected';

/** NOTIFY channel for entity types that need an index for searches in the middle of texts. */
export const searchedChannel = 'annals_searched';

/** `Account` → `account`, `KnowledgeBaseArticle` → `knowledge_base_article`. Always quote it: `case` is a keyword. */
export function tableName(entityType: string): string {
  return toSnakeCase(entityType);
}

/** `billingAddressStreet` → `billing_address_street`. */
export function columnName(attribute: string): string {
  return toSnakeCase(attribute);
}

/** Columns that every entity table has beside its attributes. */
export const keyColumns = [
  { name: 'id', type: 'text' },
  { name: 'version', type: 'integer' },
  { name: 'deleted', type: 'boolean' },
] as const;

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quotedTable(schema: string, entityType: string): string {
  return `${quoteName(schema)}.${quoteName(tableName(entityType))}`;
}

/** The table of an entity type that queries read. */
export function liveTable(entityType: string): string {
  return quotedTable(liveSchema, entityType);
}

export function quotedColumn(attribute: Pick<Attribute, 'name'>): string {
  return quoteName(columnName(attribute.name));
}

/** `timestamp(0)` and `date` without zone print exactly as the API answers them, so they are read as text. */
export const columnTypes: Readonly<Record<AttributeKind, string>> = {
  string: 'text',
  bool: 'boolean',
  int: 'integer',
  float: 'double precision',
  decimal: 'numeric(17,4)',
  date: 'date',
  datetime: 'timestamp(0)',
  strings: 'text[]',
  json: 'jsonb',
};

function toSnakeCase(name: string): string {
  return boundedName(name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase());
}

const MAX_NAME = 63;

/** Postgres silently truncates longer names, so that two could become the same. */
export function boundedName(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const hash = shortHash(name);
  return `${name.slice(0, MAX_NAME - hash.length - 1)}_${hash}`;
}

/** A hash of eight characters, to tell definitions apart in names. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
