import { readFileSync } from 'node:fs';

/** The newest version of each schema that this process reads. All earlier versions are also readable. */
export const readVersions = {
  'backup-entry': 1,
  fence: 1,
  'file-chunk': 1,
  'record-event': 3,
  'webhook-attempt': 2,
  'webhook-batch': 3,
};

export type SchemaName = keyof typeof readVersions;
export const schemaNames = Object.keys(readVersions) as readonly SchemaName[];

/** A version of each schema. */
export type SchemaVersions = Readonly<Record<SchemaName, number>>;

/**
 * The versions that processes from before ADR 39 read. Such processes do not announce their versions. These values
 * never change, because older versions are no longer written.
 */
export const baselineVersions: SchemaVersions = {
  'backup-entry': 1,
  fence: 1,
  'file-chunk': 1,
  'record-event': 2,
  'webhook-attempt': 2,
  'webhook-batch': 3,
};

/** The versions that a group member announced. Processes of other versions may have other schemas. */
export type AnnouncedVersions = Readonly<Record<string, number>>;

/** True if this process reads no version later than the baseline, which every process reads. */
export function isOfOneVersion(reads: SchemaVersions): boolean {
  return schemaNames.every((name) => reads[name] === baselineVersions[name]);
}

/** Returns the newest version of each schema that this process and all others read. */
export function commonVersions(
  own: SchemaVersions,
  others: readonly (AnnouncedVersions | undefined)[],
): SchemaVersions {
  return lowest([own, ...others.map((versions) => ({ ...baselineVersions, ...versions }))]);
}

export function lowest(all: readonly SchemaVersions[]): SchemaVersions {
  const lowestOf = (name: SchemaName) => Math.min(...all.map((versions) => versions[name]));
  return Object.fromEntries(schemaNames.map((name) => [name, lowestOf(name)])) as SchemaVersions;
}

/** Loads the newest version of a schema from its file. */
export function newestAvroSchema(name: SchemaName): Readonly<Record<string, unknown>> {
  const file = new URL(`./avro/${name}.v${readVersions[name]}.avsc`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}
