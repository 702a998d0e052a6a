/** The newest version of each schema that is read here: all versions before it are read as well. */
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
 * What every process reads that does not tell what it reads: the last ones before ADR 39. Nothing older is written any more,
 * so these never change.
 */
export const untoldVersions: SchemaVersions = {
  'backup-entry': 1,
  fence: 1,
  'file-chunk': 1,
  'record-event': 2,
  'webhook-attempt': 2,
  'webhook-batch': 3,
};

/** What a member of a group tells: processes of other versions may know other schemas. */
export type ToldVersions = Readonly<Record<string, number>>;

/** Whether there is nothing newer to choose than what everybody reads. */
export function isOfOneVersion(reads: SchemaVersions): boolean {
  return schemaNames.every((name) => reads[name] === untoldVersions[name]);
}

/** Of each schema the newest version that this process and all of these read. */
export function commonVersions(
  own: SchemaVersions,
  others: readonly (ToldVersions | undefined)[],
): SchemaVersions {
  return lowest([own, ...others.map((told) => ({ ...untoldVersions, ...told }))]);
}

export function lowest(all: readonly SchemaVersions[]): SchemaVersions {
  const lowestOf = (name: SchemaName) => Math.min(...all.map((versions) => versions[name]));
  return Object.fromEntries(schemaNames.map((name) => [name, lowestOf(name)])) as SchemaVersions;
}
