import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import type { ProjectedNotice } from '../../../shared/db/projection-watch.ts';
import {
  columnName,
  columnTypes,
  quotedTable,
  quoteName,
} from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { commandKeyOf } from '../../../shared/domain/record/command-key.ts';
import { singleChangeActor } from '../../../shared/domain/record/step-key.ts';
import { mentionedIds } from '../../../shared/domain/stream/mentions.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import { cellOf } from '../tables/column-text.ts';
import type { LocatedEvent, RowChange } from './collapse.ts';
import { type Cells, createStatementBuilder, type StatementBuilder } from './statement-builder.ts';

/** The SQLSTATE of a batch that another projector has already stored. */
export const positionsMoved = 'AN001';
/** The SQLSTATE of a batch that finds a row in an unexpected version. */
const rowsDiffer = 'AN002';

export interface MovedPosition {
  readonly from: ProjectedPosition;
  readonly to: ProjectedPosition;
}

/** The read model whose tables are changed. */
export interface TargetTables {
  readonly schema: string;
  readonly model: (entityType: string) => EntityModel | undefined;
  /** True for a schema that is not in use yet: no notification is sent. */
  readonly isSilent?: boolean;
}

/** Events, and the positions that move when they are stored. */
export interface EventBatch extends TargetTables {
  readonly events: readonly LocatedEvent[];
  readonly moved: readonly MovedPosition[];
}

export interface ProjectedBatch extends EventBatch {
  readonly changes: readonly RowChange[];
  /** Events whose mentions are stored. Defaults to `events`. */
  readonly mentioning?: readonly LocatedEvent[];
  /** Rows that COPY stores in the same transaction. The statement only updates their counts. */
  readonly copied?: readonly RowChange[];
}

/**
 * Builds one SQL statement for a whole batch, and thus one round trip and one transaction: rows, history, counts,
 * positions by compare-and-set, and the notification that wakes waiting writers. If a part does not affect the expected
 * rows, the statement is rolled back with one of the SQLSTATEs above.
 */
export function batchStatement(batch: ProjectedBatch) {
  const statement = createStatementBuilder(batch.schema);
  // Comes first: a batch that another projector has already stored must fail with positionsMoved, not with rowsDiffer.
  addPositions(statement, batch);
  const groups = groupByShape(batch.changes, batch.model);
  for (const group of groups) {
    if (group.isInsert) addInsert(statement, batch.schema, group);
    else addUpdate(statement, batch.schema, group);
  }
  addHistory(statement, batch);
  addMentions(statement, batch);
  addCounts(statement, batch);
  return statement.build(
    batch.isSilent === true ? undefined : noticeOf(batch.moved.map(({ to }) => to)),
  );
}

interface ShapeGroup {
  readonly model: EntityModel;
  readonly isInsert: boolean;
  readonly attributes: readonly Attribute[];
  readonly changes: RowChange[];
}

/** Groups the new rows of each entity type, and the changed rows by the set of changed columns. */
function groupByShape(
  changes: readonly RowChange[],
  modelOf: ProjectedBatch['model'],
): readonly ShapeGroup[] {
  const groups = new Map<string, ShapeGroup>();
  const inserts = insertAttributes(changes, modelOf);
  for (const change of changes) {
    const model = modelOf(change.entityType);
    if (model === undefined) continue;
    const isInsert = change.baseVersion === 0;
    const attributes = isInsert
      ? (inserts.get(model.name) ?? [])
      : model.columns.filter(({ name }) => change.values.has(name));
    const shape = isInsert ? '' : attributes.map(({ name }) => name).join();
    const key = `${change.entityType} ${isInsert} ${shape}`;
    const group = groups.get(key) ?? { model, isInsert, attributes, changes: [] };
    groups.set(key, group);
    group.changes.push(change);
  }
  return [...groups.values()];
}

/** Returns, by entity type, the columns in which at least one new row of the batch has a value. */
export function insertAttributes(changes: readonly RowChange[], modelOf: ProjectedBatch['model']) {
  const filled = new Map<string, Set<string>>();
  for (const { baseVersion, entityType, values } of changes) {
    if (baseVersion !== 0) continue;
    const names = filled.get(entityType) ?? new Set();
    filled.set(entityType, names);
    for (const [name, value] of values) if (value !== null) names.add(name);
  }
  return new Map(
    [...filled].map(([entityType, names]) => [
      entityType,
      (modelOf(entityType)?.columns ?? []).filter(({ name }) => names.has(name)),
    ]),
  );
}

function addInsert(statement: StatementBuilder, schema: string, group: ShapeGroup): void {
  const { model, attributes, changes } = group;
  insert(statement, quotedTable(schema, model.name), [
    { name: 'id', type: 'text', cells: changes.map(({ recordId }) => recordId) },
    { name: 'version', type: 'integer', cells: changes.map(({ version }) => version) },
    { name: 'deleted', type: 'boolean', cells: changes.map(({ deleted }) => deleted) },
    ...attributes.map((attribute) => cellsOf(attribute, changes)),
  ]);
}

function addUpdate(statement: StatementBuilder, schema: string, group: ShapeGroup): void {
  const source = statement.rows([
    { type: 'text', cells: group.changes.map(({ recordId }) => recordId) },
    { type: 'integer', cells: group.changes.map(({ baseVersion }) => baseVersion) },
    { type: 'integer', cells: group.changes.map(({ version }) => version) },
    { type: 'boolean', cells: group.changes.map(({ deleted }) => deleted) },
    ...group.attributes.map((attribute) => cellsOf(attribute, group.changes)),
  ]);
  const assignments = group.attributes.map(
    ({ name }, index) => `${quoteName(columnName(name))} = ${source.column(index + 4)}`,
  );
  const set = [`version = ${source.column(2)}`, `deleted = ${source.column(3)}`, ...assignments];
  statement.part(
    `update ${quotedTable(schema, group.model.name)} row set ${set.join(', ')} from ${source.from}
     where row.id = ${source.column(0)} and row.version = ${source.column(1)} returning 1`,
    { rows: group.changes.length, code: rowsDiffer },
  );
}

function addHistory(statement: StatementBuilder, { schema, events, model }: ProjectedBatch): void {
  if (events.length === 0) return;
  const actors = events.map(({ event }) =>
    singleChangeActor(event, model(event.entityType)?.definition),
  );
  insert(statement, `${quoteName(schema)}.record_history`, [
    { name: 'entity_type', type: 'text', cells: events.map(({ event }) => event.entityType) },
    { name: 'record_id', type: 'text', cells: events.map(({ event }) => event.recordId) },
    { name: 'version', type: 'integer', cells: events.map(({ event }) => event.version) },
    { name: 'command_id', type: 'text', cells: events.map(({ event }) => commandKeyOf(event)) },
    { name: 'event', type: 'bytea', cells: events.map(({ bytes }) => bytes) },
    { name: 'at_ms', type: 'bigint', cells: events.map(({ event }) => event.occurredAt) },
    { name: 'actor_id', type: 'text', cells: actors },
    { name: 'trace_id', type: 'bytea', cells: events.map(({ traceId = null }) => traceId) },
  ]);
}

function addMentions(
  statement: StatementBuilder,
  { schema, events, mentioning = events, model }: ProjectedBatch,
): void {
  const mentions = mentioning.flatMap(({ event }) => {
    const definition = model(event.entityType)?.definition;
    if (definition === undefined) return [];
    return mentionedIds(event, definition).map((id) => ({
      id,
      event,
      number: numberOfEvent(event, 0),
    }));
  });
  if (mentions.length === 0) return;
  insert(statement, `${quoteName(schema)}.stream_mentions`, [
    { name: 'record_id', type: 'text', cells: mentions.map(({ id }) => id) },
    { name: 'number', type: 'bigint', cells: mentions.map(({ number }) => String(number)) },
    { name: 'entity_type', type: 'text', cells: mentions.map(({ event }) => event.entityType) },
    { name: 'by_id', type: 'text', cells: mentions.map(({ event }) => event.recordId) },
    { name: 'version', type: 'integer', cells: mentions.map(({ event }) => event.version) },
  ]);
}

interface CountDelta {
  readonly entityType: string;
  readonly partition: number;
  live: number;
  hasNew: boolean;
}

function addCounts(
  statement: StatementBuilder,
  { schema, changes, copied = [] }: ProjectedBatch,
): void {
  const deltas = new Map<string, CountDelta>();
  for (const { entityType, partition, baseVersion, deleted, wasLive } of [...changes, ...copied]) {
    const change = Number(!deleted) - Number(wasLive);
    const key = `${entityType}/${partition}`;
    const delta = deltas.get(key) ?? { entityType, partition, live: 0, hasNew: false };
    deltas.set(key, delta);
    delta.live += change;
    delta.hasNew ||= baseVersion === 0;
  }
  // Every type that has ever had a record needs a row for its count, even if the batch does not change it.
  const moved = [...deltas.values()].filter(({ live, hasNew }) => live !== 0 || hasNew);
  if (moved.length === 0) return;
  insert(
    statement,
    `${quoteName(schema)}.entity_counts as counted`,
    [
      { name: 'entity_type', type: 'text', cells: moved.map(({ entityType }) => entityType) },
      { name: 'partition', type: 'integer', cells: moved.map(({ partition }) => partition) },
      { name: 'live', type: 'bigint', cells: moved.map(({ live }) => live) },
    ],
    'on conflict (entity_type, partition) do update set live = counted.live + excluded.live',
  );
}

/** Inserts one row per cell of a column. The statement fails unless all rows are stored. */
function insert(
  statement: StatementBuilder,
  into: string,
  columns: readonly NamedCells[],
  onConflict = '',
): void {
  const source = statement.rows(columns);
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  statement.part(
    `insert into ${into} (${names}) select ${source.select} from ${source.from} ${onConflict} returning 1`,
    { rows: columns[0]?.cells.length ?? 0, code: rowsDiffer },
  );
}

function addPositions(statement: StatementBuilder, { schema, moved }: ProjectedBatch): void {
  const source = statement.rows([
    { type: 'text', cells: moved.map(({ to }) => to.topic) },
    { type: 'integer', cells: moved.map(({ to }) => to.partition) },
    { type: 'bigint', cells: moved.map(({ from }) => from.offset.toString()) },
    { type: 'bigint', cells: moved.map(({ to }) => to.offset.toString()) },
    { type: 'text', cells: moved.map(({ to }) => to.token) },
    { type: 'bigint', cells: moved.map(({ to }) => to.sequence) },
    { type: 'boolean', cells: moved.map(({ to }) => to.sealed) },
  ]);
  statement.part(
    `update ${quoteName(schema)}.positions p
     set next_offset = ${source.column(3)}, token = ${source.column(4)}, sequence = ${source.column(5)},
         sealed = ${source.column(6)}
     from ${source.from}
     where p.topic = ${source.column(0)} and p.partition = ${source.column(1)}
       and p.next_offset = ${source.column(2)} returning 1`,
    { rows: moved.length, code: positionsMoved },
  );
}

/** Returns the notification for waiting writers. */
export function noticeOf(positions: readonly ProjectedPosition[]): ProjectedNotice {
  return positions.map(({ topic, partition, offset }) => [topic, partition, offset.toString()]);
}

interface NamedCells extends Cells {
  readonly name: string;
}

function cellsOf(attribute: Attribute, changes: readonly RowChange[]): NamedCells {
  const { name, kind } = attribute;
  const toCell = cellOf(attribute);
  const cells = changes.map(({ values }) => toCell(values));
  return { name: columnName(name), type: columnTypes[kind], cells };
}
