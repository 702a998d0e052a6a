import { createHash } from 'node:crypto';
import type { AttributeKind } from '../../domain/field/attribute.ts';

/** The schema that queries read. A rebuild fills another schema, which then gets this name. */
export const liveSchema = 'annals';

/** The schema that a rebuild fills. */
export const rebuildSchema = 'annals_rebuild';

/**
 * The advisory lock of a running rebuild: there is only one at a time. An arbitrary number, the same in every
 * process.
 */
export const rebuildLock = 0x72656275;

/** Prefix of a former live schema: `annals_before_` and the time in UTC, YYYYMMDDHHMMSSmmm. */
export const formerSchemaPrefix = 'annals_before_';

/** NOTIFY channel for the projector's progress. */
export const projectedChannel = 'annals_projected';

/** NOTIFY channel for entity types that need an index for searches in the middle of texts. */
export const searchedChannel = 'annals_searched';

/**
 * Names in definitions consist of letters and digits, so derived names contain no `$` and no `~`, and two definitions
 * never share a derived name. Names that Annals adds contain `$`, and shortened names contain `~` (docs/adr/0041), so
 * neither kind can equal a derived name.
 */

/** `Account` → `account`, `KnowledgeBaseArticle` → `knowledge_base_article`. Always quote it: `case` is a keyword. */
export function tableName(entityType: string): string {
  const name = toSnakeCase(entityType);
  return boundedName(ownTables.has(name) ? `${name}$` : name);
}

/** `billingAddressStreet` → `billing_address_street`. */
export function columnName(attribute: string): string {
  const name = toSnakeCase(attribute);
  return boundedName(systemColumns.has(name) ? `${name}$` : name);
}

/** Returns the name of an index, a constraint or statistics of a table. */
export function ownName(table: string, suffix: string): string {
  return boundedName(`${table}$${suffix}`);
}

/** Returns the name of the column with an attribute's folded text (see foldedColumns). */
export function foldedColumnName(attribute: string): string {
  return boundedName(`${toSnakeCase(attribute)}$folded`);
}

/** The tables of the read model that do not belong to an entity type. */
export const ownTableNames = [
  'positions',
  'record_history',
  'stream_mentions',
  'entity_counts',
  'rejected_entries',
  'unfit_types',
] as const;

const ownTables: ReadonlySet<string> = new Set(ownTableNames);

/** Columns that Postgres has in every table. */
const systemColumns: ReadonlySet<string> = new Set([
  'tableoid',
  'xmin',
  'cmin',
  'xmax',
  'cmax',
  'ctid',
]);

/**
 * Columns that every entity table has in addition to its attributes. No field can have these names
 * (read-field-name.ts).
 */
export const keyColumns = [
  { name: 'id', kind: 'string' },
  { name: 'version', kind: 'int' },
  { name: 'deleted', kind: 'bool' },
] as const;

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quotedTable(schema: string, entityType: string): string {
  return `${quoteName(schema)}.${quoteName(tableName(entityType))}`;
}

/** Returns the table of an entity type that queries read. */
export function liveTable(entityType: string): string {
  return quotedTable(liveSchema, entityType);
}

export function quotedColumn({ name }: { readonly name: string }): string {
  return quoteName(columnName(name));
}

/** Postgres prints `date` and `timestamp(0)` in the format of the API, so they are read as text. */
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

/** Does not limit the length. Different names have different results, because names contain no `_`. */
export function toSnakeCase(name: string): string {
  return name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();
}

/** Postgres silently truncates longer names. */
const MAX_NAME = 63;
/** The number of hexadecimal digits. At 128 bits, no second name with the same hash can be constructed. */
const HASH_LENGTH = 32;

/** Shortens a name to the length that Postgres keeps. The hash covers the whole name. */
function boundedName(name: string): string {
  if (name.length <= MAX_NAME) return name;
  return `${name.slice(0, MAX_NAME - HASH_LENGTH - 1)}~${hashOf(name).slice(0, HASH_LENGTH)}`;
}

/** Returns a hash of eight characters that distinguishes versions of a definition in names. */
export function shortHash(text: string): string {
  return hashOf(text).slice(0, 8);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The schema for file contents. The projector fills its tables from a separate topic. */
export const fileSchema = 'annals_files';

/** The schema for webhook deliveries. The projector fills its tables from the topics. */
export const webhookSchema = 'annals_webhooks';

/** Converts milliseconds since 1970 to a time in UTC in the format of these tables. */
export function toSqlTime(msSince1970: number): string {
  return new Date(msSince1970).toISOString().slice(0, 23).replace('T', ' ');
}
