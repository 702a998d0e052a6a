/**
 * Limits for a table in Postgres: 1,600 columns, and rows that fit into a page of 8 KB. Postgres moves long values out
 * of a row, but each leaves a pointer there, so a row has room for some 440 long values.
 */
import type { EntityModel } from '../domain/entity/model/entity-model.ts';
import { perModel } from '../domain/entity/model/per-model.ts';
import { Refusal } from '../domain/errors.ts';
import type { Attribute, AttributeKind } from '../domain/field/attribute.ts';
import { attributesOf } from '../domain/field/attributes-of.ts';
import { emptyValue } from '../domain/record/to-record-body.ts';
import type { AttributeValue, AttributeValues } from '../domain/value/attribute-values.ts';
import { foldedColumns } from './sql/folded-text.ts';
import { columnName, keyColumns } from './tables/read-model-names.ts';

/** Leaves room below Postgres's limit of 1,600 for columns that later versions add. */
const MAX_COLUMNS = 1_200;
/** Leaves room below the maximum row size of 8,160 bytes for the same reason. */
const MAX_ROW_BYTES = 8_000;

/** The size of a value in its row, in bytes. */
interface Width {
  /** The size of a long value, which is stored outside the row. */
  readonly long: number;
  /** The maximum: a value of at most 24 bytes, compressed or not, stays in the row. Values may be padded. */
  readonly max: number;
}

const varying: Width = { long: 18, max: 27 };
const widths: Readonly<Record<AttributeKind, Width>> = {
  string: varying,
  strings: varying,
  json: varying,
  decimal: { long: 13, max: 13 },
  bool: { long: 1, max: 1 },
  int: { long: 4, max: 7 },
  date: { long: 4, max: 7 },
  float: { long: 8, max: 15 },
  datetime: { long: 8, max: 15 },
};

interface TableSize {
  readonly columns: number;
  /** Size in bytes of a row with a long value in every column. */
  readonly longRow: number;
  /** Maximum size of a row in bytes. */
  readonly maxRow: number;
  /**
   * Maximum size in bytes of the parts that every row contains: the header, the key, and the columns of removed fields.
   */
  readonly maxRest: number;
}

const sizeOf = perModel((model): TableSize => {
  const folded = foldedColumns(model);
  const present = new Set([
    ...model.columns.map(({ name }) => columnName(name)),
    ...folded.map(({ name }) => name),
  ]);
  const left = columnsOfRemovedFields(model).filter(({ name }) => !present.has(columnName(name)));
  const kept = [...keyKinds, ...left.map(({ kind }) => kind)];
  const used = [...model.columns.map(({ kind }) => kind), ...folded.map(() => 'string' as const)];
  const columns = kept.length + used.length;
  const header = headerBytes(columns);
  const maxRest = header + sum(kept, 'max');
  return {
    columns,
    longRow: header + sum([...kept, ...used], 'long'),
    maxRow: maxRest + sum(used, 'max'),
    maxRest,
  };
});

const keyKinds = keyColumns.map(({ kind }) => kind);

/** Returns the size of the tuple header: 23 bytes and one bit per column, aligned. */
function headerBytes(columns: number): number {
  return Math.ceil((23 + Math.ceil(columns / 8)) / 8) * 8;
}

function sum(kinds: readonly AttributeKind[], width: keyof Width): number {
  return kinds.reduce((total, kind) => total + widths[kind][width], 0);
}

/** Returns the attributes of removed fields, whose columns and values are still in the table. */
function columnsOfRemovedFields({ definition }: EntityModel): readonly Attribute[] {
  return Object.entries(definition.removedFields ?? {})
    .flatMap(([name, field]) => (field.type === undefined ? [] : attributesOf(name, field)))
    .filter(({ stored }) => stored);
}

/**
 * Returns the columns of texts that lists no longer search, in the format of removed fields. The names contain `$`,
 * unlike field names, and `columnName` converts them to the names of the columns.
 */
export function removedFolds(before: EntityModel, after: EntityModel | undefined) {
  const kept = new Set(after === undefined ? [] : foldedColumns(after).map(({ name }) => name));
  const left = foldedColumns(before).filter(({ name }) => !kept.has(name));
  return Object.fromEntries(
    left.map(({ attribute }) => [`${attribute.name}$folded`, { type: 'text' } as const]),
  );
}

/** Rejects a changed definition whose table could not be created, or could not hold a record with only long values. */
export function requireRoomInTable(before: EntityModel | undefined, after: EntityModel): void {
  const { columns, longRow } = sizeOf(after);
  if (columns <= MAX_COLUMNS && longRow <= MAX_ROW_BYTES) return;
  const known = before && sizeOf(before);
  if (known !== undefined && columns <= known.columns && longRow <= known.longRow) return;
  const reason =
    columns > MAX_COLUMNS
      ? `its table would have ${columns} columns, but the maximum is ${MAX_COLUMNS}`
      : `a record with a value in each field would take ${longRow} bytes, but the maximum is ${MAX_ROW_BYTES}`;
  throw new Refusal(
    'conflict',
    'entity.full',
    `${after.name} has no room for more fields: ${reason}. Columns of removed fields count too. Add the fields to another entity type and link it.`,
  );
}

/** Returns why a record's values do not fit into a table row; undefined if they do. */
export function findRowExcess(model: EntityModel, values: AttributeValues): string | undefined {
  const size = sizeOf(model);
  if (size.maxRow <= MAX_ROW_BYTES) return undefined;
  const own = model.columns.reduce((bytes, one) => bytes + bytesOf(one, values), size.maxRest);
  const folded = foldedColumns(model).filter(
    ({ attribute }) => (values[attribute.name] ?? null) !== null,
  );
  const total = own + folded.length * varying.max;
  if (total <= MAX_ROW_BYTES) return undefined;
  return `The record has values in too many fields: they would take ${total} bytes of its row, but the maximum is ${MAX_ROW_BYTES}. Leave some fields empty, or store them in a linked record.`;
}

function bytesOf(attribute: Attribute, values: AttributeValues): number {
  const value: AttributeValue = values[attribute.name] ?? emptyValue(attribute);
  if (value === null) return 0;
  return typeof value === 'string' && attribute.kind === 'string'
    ? bytesOfText(value)
    : widths[attribute.kind].max;
}

function bytesOfText(text: string): number {
  const length = Buffer.byteLength(text);
  // One more byte for the length.
  if (length <= LONGEST_INLINE) return length + 1;
  const isMovedOut =
    length < SHORTEST_COMPRESSED || new Set(text.slice(0, 1_000)).size >= INCOMPRESSIBLE_CHARACTERS;
  return isMovedOut ? varying.long : varying.max;
}

const LONGEST_INLINE = 23;
/** Postgres does not compress shorter texts, and moves longer texts out of the row unless they compress to 24 bytes. */
const SHORTEST_COMPRESSED = 32;
/** The compressed text contains each distinct character, 8 bytes of header, and at least 3 bytes for repetitions. */
const INCOMPRESSIBLE_CHARACTERS = 14;
