import { readFileSync } from 'node:fs';
import { readVersions, type SchemaName } from './schema-versions.ts';

/** Loads the newest version of a schema from its file. */
export function newestAvroSchema(name: SchemaName): Readonly<Record<string, unknown>> {
  const file = new URL(`./avro/${name}.v${readVersions[name]}.avsc`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}
