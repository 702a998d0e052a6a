/**
 * Limits of a table in Postgres: 1,600 columns, and rows that fit into a page of 8 KB. Postgres moves long values out of
 * a row, but each leaves a pointer there, so a row has room for some 440 long values.
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

/** Leaves room below the 1,600 of Postgres for columns that later versions add. */
const MAX_COLUMNS = 1_200;
/** Leaves room for the same reason below the 8,160 that a row can have. */
const MAX_ROW_BYTES = 8_000;

/** The bytes of a value in its row. */
interface Width {
  /** Of a long value, which is kept elsewhere. */
  readonly long: number;
  /** The most that a value can take: what has, or compresses to, at most 24 bytes stays in the row. Values may be padded. */
  readonly most: number;
}

const varying: Width = { long: 18, most: 27 };
const widths: Readonly<Record<AttributeKind, Width>> = {
  string: varying,
  strings: varying,
  json: varying,
  decimal: { long: 13, most: 13 },
  bool: { long: 1, most: 1 },
  int: { long: 4, most: 7 },
  date: { long: 4, most: 7 },
  float: { long: 8, most: 15 },
  datetime: { long: 8, most: 15 },
};

interface TableSize {
  readonly columns: number;
  /** Bytes of a row with a long value in every column. */
  readonly longRow: number;
  /** The most bytes of a row. */
  readonly mostOfRow: number;
  /** The most bytes of what every row has, whatever its values are: the header, the key, and columns of removed fields. */
  readonly mostOfRest: number;
}

const sizeOf = perModel((model): TableSize => {
  const folded = foldedColumns(model);
  const present = new Set([
    ...model.columns.map(({ name }) => columnName(name)),
    ...folded.map(({ name }) => name),
  ]);
  const left = leftColumns(model).filter(({ name }) => !present.has(columnName(name)));
  const kept = [...keyKinds, ...left.map(({ kind }) => kind)];
  const used = [...model.columns.map(({ kind }) => kind), ...folded.map(() => 'string' as const)];
  const columns = kept.length + used.length;
  const header = headerBytes(columns);
  const mostOfRest = header + sum(kept, 'most');
  return {
    columns,
    longRow: header + sum([...kept, ...used], 'long'),
    mostOfRow: mostOfRest + sum(used, 'most'),
    mostOfRest,
  };
});

const keyKinds = keyColumns.map(({ kind }) => kind);

/** The tuple header of 23 bytes with a bit for each column, aligned. */
function headerBytes(columns: number): number {
  return Math.ceil((23 + Math.ceil(columns / 8)) / 8) * 8;
}

function sum(kinds: readonly AttributeKind[], width: keyof Width): number {
  return kinds.reduce((total, kind) => total + widths[kind][width], 0);
}

/** Of removed fields: their columns are still in the table, with values. */
function leftColumns({ definition }: EntityModel): readonly Attribute[] {
  return Object.entries(definition.removedFields ?? {})
    .flatMap(([name, field]) => (field.type === undefined ? [] : attributesOf(name, field)))
    .filter(({ stored }) => stored);
}

/**
 * The columns of texts that lists no longer search, in the form of removed fields. No field has a name with `$`, and
 * `columnName` makes of it the name of the column.
 */
export function removedFolds(before: EntityModel, after: EntityModel | undefined) {
  const kept = new Set(after === undefined ? [] : foldedColumns(after).map(({ name }) => name));
  const left = foldedColumns(before).filter(({ name }) => !kept.has(name));
  return Object.fromEntries(
    left.map(({ attribute }) => [`${attribute.name}$folded`, { type: 'text' } as const]),
  );
}

/** Refuses a changed definition whose table could not be created, or could not hold a record with long values only. */
export function requireRoomInTable(before: EntityModel | undefined, after: EntityModel): void {
  const { columns, longRow } = sizeOf(after);
  if (columns <= MAX_COLUMNS && longRow <= MAX_ROW_BYTES) return;
  const known = before && sizeOf(before);
  if (known !== undefined && columns <= known.columns && longRow <= known.longRow) return;
  const reason =
    columns > MAX_COLUMNS
      ? `its table would have ${columns} columns, of at most ${MAX_COLUMNS}`
      : `a record with a value in each field would take ${longRow} bytes, of at most ${MAX_ROW_BYTES}`;
  throw new Refusal(
    'conflict',
    'entity.full',
    `${after.name} has no room for more fields: ${reason}. Columns of removed fields count. Put the fields into another entity type and link it.`,
  );
}

/** Why the values of a record do not fit into a row of its table; undefined if they do. */
export function findRowExcess(model: EntityModel, values: AttributeValues): string | undefined {
  const size = sizeOf(model);
  if (size.mostOfRow <= MAX_ROW_BYTES) return undefined;
  const own = model.columns.reduce((bytes, one) => bytes + bytesOf(one, values), size.mostOfRest);
  const folded = foldedColumns(model).filter(
    ({ attribute }) => (values[attribute.name] ?? null) !== null,
  );
  const total = own + folded.length * varying.most;
  if (total <= MAX_ROW_BYTES) return undefined;
  return `The record has values in too many fields: they would take ${total} bytes of its row, of at most ${MAX_ROW_BYTES}. Leave some fields empty, or use a linked record for them.`;
}

function bytesOf(attribute: Attribute, values: AttributeValues): number {
  const value: AttributeValue = values[attribute.name] ?? emptyValue(attribute);
  if (value === null) return 0;
  return typeof value === 'string' && attribute.kind === 'string'
    ? bytesOfText(value)
    : widths[attribute.kind].most;
}

function bytesOfText(text: string): number {
  const length = Buffer.byteLength(text);
  // One byte is its length.
  if (length <= LONGEST_INLINE) return length + 1;
  const isMovedOut =
    length < SHORTEST_COMPRESSED || new Set(text.slice(0, 1_000)).size >= INCOMPRESSIBLE_CHARACTERS;
  return isMovedOut ? varying.long : varying.most;
}

const LONGEST_INLINE = 23;
/** Postgres compresses no shorter text, and moves longer ones out of the row unless 24 bytes are left of them. */
const SHORTEST_COMPRESSED = 32;
/** Each has to occur in the compressed text, which has 8 bytes of header and at least 3 for its repetitions. */
const INCOMPRESSIBLE_CHARACTERS = 14;
