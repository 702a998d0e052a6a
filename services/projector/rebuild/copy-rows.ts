import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  columnName,
  keyColumns,
  quotedTable,
  quoteName,
} from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { commandKeyOf } from '../../../shared/domain/record/command-key.ts';
import { singleChangeActor } from '../../../shared/domain/record/step-key.ts';
import type { TargetTables } from '../consume/batch-statement.ts';
import type { LocatedEvent, RowChange } from '../consume/collapse.ts';
import { cellOf } from '../tables/column-text.ts';

/** Rows of one table in COPY's format, ready to be sent. */
export interface CopiedRows {
  readonly into: string;
  readonly chunks: readonly Buffer[];
}

export async function copyRows(client: Client, { into, chunks }: CopiedRows): Promise<void> {
  await pipeline(Readable.from(chunks), client.query(copyFrom(`copy ${into}`)));
}

/**
 * Text is built in chunks of about this many characters, because a single growing string would be copied repeatedly.
 */
const CHUNK_LENGTH = 256 * 1024;

/** Formats new rows of an entity type in COPY's text format, with only the columns of these attributes. */
export function toEntityRows(
  schema: string,
  { model, attributes }: { readonly model: EntityModel; readonly attributes: readonly Attribute[] },
  rows: readonly RowChange[],
): CopiedRows {
  const names = [
    ...keyColumns.map(({ name }) => name),
    ...attributes.map(({ name }) => columnName(name)),
  ];
  const cells = attributes.map(cellOf);
  const chunks: Buffer[] = [];
  let text = '';
  for (const { recordId, version, deleted, values } of rows) {
    text += `${escapeText(recordId)}\t${version}\t${deleted ? 't' : 'f'}`;
    for (const toText of cells) text += `\t${toCell(toText(values))}`;
    text += '\n';
    if (text.length < CHUNK_LENGTH) continue;
    chunks.push(Buffer.from(text));
    text = '';
  }
  chunks.push(Buffer.from(text));
  const columns = names.map(quoteName).join(', ');
  return { into: `${quotedTable(schema, model.name)} (${columns}) from stdin`, chunks };
}

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function toCell(text: string | null): string {
  return text === null ? '\\N' : escapeText(text);
}

function escapeText(text: string): string {
  return special.test(text) ? text.replace(/[\\\n\r\t]/g, (one) => escapes[one] ?? one) : text;
}

const binaryHeader = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const binaryEnd = Buffer.from([0xff, 0xff]);
const HISTORY_COLUMNS = 8;
const TIME_BYTES = 8;
const TRACE_BYTES = 16;
/** Bytes for the number of columns, the length of each, the version, the time and the trace id. */
const FIXED_BYTES = 2 + HISTORY_COLUMNS * 4 + 4 + TIME_BYTES + TRACE_BYTES;
/** The maximum number of UTF-8 bytes per code unit of a JavaScript string. */
const MOST_BYTES = 3;

/** Formats rows of the history in COPY's binary format, which passes the bytes of events through. */
export function toHistoryRows(
  { schema, model }: TargetTables,
  events: readonly LocatedEvent[],
): CopiedRows {
  const rows = events.map(({ event, bytes, traceId = null }) => {
    const actor = singleChangeActor(event, model(event.entityType)?.definition);
    return { event, bytes, key: commandKeyOf(event), actor, traceId };
  });
  const most = rows.reduce((total, { event, bytes, key, actor }) => {
    const names = event.entityType.length + event.recordId.length;
    const texts = names + (key?.length ?? 0) + (actor?.length ?? 0);
    return total + FIXED_BYTES + MOST_BYTES * texts + bytes.length;
  }, binaryHeader.length + binaryEnd.length);
  const written = Buffer.allocUnsafeSlow(most);
  let at = binaryHeader.copy(written);
  const writeText = (text: string): void => {
    const length = written.write(text, at + 4);
    at = written.writeInt32BE(length, at) + length;
  };
  const writeTextOrNull = (value: string | null): void => {
    if (value === null) at = written.writeInt32BE(-1, at);
    else writeText(value);
  };
  const writeBytes = (value: Buffer): void => {
    at = written.writeInt32BE(value.length, at);
    at += value.copy(written, at);
  };
  for (const { event, bytes, key, actor, traceId } of rows) {
    at = written.writeInt16BE(HISTORY_COLUMNS, at);
    writeText(event.entityType);
    writeText(event.recordId);
    at = written.writeInt32BE(4, at);
    at = written.writeInt32BE(event.version, at);
    writeBytes(bytes);
    writeTextOrNull(key);
    at = written.writeInt32BE(TIME_BYTES, at);
    at = written.writeBigInt64BE(BigInt(event.occurredAt), at);
    writeTextOrNull(actor);
    if (traceId === null) at = written.writeInt32BE(-1, at);
    else writeBytes(traceId);
  }
  at += binaryEnd.copy(written, at);
  const columns = 'entity_type, record_id, version, event, command_id, at_ms, actor_id, trace_id';
  return {
    into: `${quoteName(schema)}.record_history (${columns}) from stdin (format binary)`,
    chunks: [written.subarray(0, at)],
  };
}
