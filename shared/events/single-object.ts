import { readFileSync } from 'node:fs';
import avro from 'avsc';
import { UnknownToThisVersion, UnreadableMessage } from '../domain/errors.ts';
import { crc64Avro } from './crc64-avro.ts';
import {
  readVersions,
  type SchemaName,
  type SchemaVersions,
  schemaNames,
} from './schema-versions.ts';

/** A schema version. Bytes written with it must stay readable for ever. */
interface SchemaVersion {
  readonly type: avro.Type;
  readonly header: Buffer;
  readonly fingerprint: bigint;
}

const HEADER_BYTES = 10;

/** Each schema in all versions that are read here, version 1 first. */
const schemas: ReadonlyMap<SchemaName, readonly SchemaVersion[]> = new Map(
  schemaNames.map((name) => {
    const numbers = Array.from({ length: readVersions[name] }, (_, index) => index + 1);
    return [name, numbers.map((number) => loadSchema(`${name}.v${number}`))];
  }),
);

const byFingerprint: ReadonlyMap<bigint, { readonly name: SchemaName; readonly type: avro.Type }> =
  new Map(
    [...schemas].flatMap(([name, versions]) =>
      versions.map(({ fingerprint, type }) => [fingerprint, { name, type }] as const),
    ),
  );

/** Loads `avro/<name>.avsc`; the file name has the version. */
export function loadSchema(name: string): SchemaVersion {
  const text = readFileSync(new URL(`./avro/${name}.avsc`, import.meta.url), 'utf8');
  const type = avro.Type.forSchema(JSON.parse(text), { wrapUnions: true });
  const fingerprint = crc64Avro(JSON.stringify(type.schema()));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(0xc301);
  header.writeBigUInt64LE(fingerprint, 2);
  return { type, header, fingerprint };
}

/** avsc's own buffer has 1 KiB, and larger values are encoded twice, first to learn their size. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);

/**
 * Avro single-object encoding: C3 01, the schema's fingerprint in little-endian, the body. Fields that the version to write
 * does not have are left out.
 */
export function encodeSingleObject(
  name: SchemaName,
  value: unknown,
  write: SchemaVersions,
): Buffer {
  const { header, type } = versionOf(name, write[name]);
  const end = type.encode(value, scratch, HEADER_BYTES);
  if (end < 0) return Buffer.concat([header, type.toBuffer(value)]);
  header.copy(scratch);
  return Buffer.from(scratch.subarray(0, end));
}

function versionOf(name: SchemaName, number: number): SchemaVersion {
  const version = schemas.get(name)?.[number - 1];
  if (version === undefined) throw new Error(`${name} has no version ${number}`);
  return version;
}

/**
 * The decoded value and the name of the schema that wrote it. Throws UnreadableMessage for other bytes, UnknownToThisVersion
 * for a schema that is not one of these.
 */
export function decodeSingleObject(
  bytes: Buffer | null,
  ...names: readonly SchemaName[]
): { readonly name: SchemaName; readonly value: unknown } {
  if (bytes === null || bytes.length < HEADER_BYTES || bytes.readUInt16BE() !== 0xc301) {
    throw new UnreadableMessage('not in Avro single-object encoding');
  }
  const fingerprint = bytes.readBigUInt64LE(2);
  const schema = byFingerprint.get(fingerprint);
  if (schema === undefined || !names.includes(schema.name)) {
    throw new UnknownToThisVersion(`unknown schema fingerprint ${fingerprint.toString(16)}`);
  }
  try {
    return { name: schema.name, value: schema.type.fromBuffer(bytes.subarray(HEADER_BYTES)) };
  } catch (cause) {
    throw new UnreadableMessage(`body does not fit its schema: ${String(cause)}`);
  }
}
