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

/** A schema version. Bytes written with it must remain readable forever. */
interface SchemaVersion {
  readonly type: avro.Type;
  readonly header: Buffer;
  readonly fingerprint: bigint;
}

const HEADER_BYTES = 10;

/** All versions of each schema that this process reads, starting with version 1. */
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

/** Loads `avro/<name>.avsc`; the name includes the version. */
export function loadSchema(name: string): SchemaVersion {
  const text = readFileSync(new URL(`./avro/${name}.avsc`, import.meta.url), 'utf8');
  const type = avro.Type.forSchema(JSON.parse(text), { wrapUnions: true });
  const fingerprint = crc64Avro(JSON.stringify(type.schema()));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(0xc301);
  header.writeBigUInt64LE(fingerprint, 2);
  return { type, header, fingerprint };
}

/** avsc's own buffer is 1 KiB; larger values would be encoded twice, first to determine their size. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);

/**
 * Encodes as an Avro single object: C3 01, the schema's fingerprint in little-endian, the body. Omits fields that do not
 * exist in the version to write.
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
 * Returns the decoded value and the name of its schema. Throws UnreadableMessage for invalid bytes, and
 * UnknownToThisVersion if the schema is not one of `names`.
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
    throw new UnreadableMessage(`body does not match its schema: ${String(cause)}`);
  }
}
