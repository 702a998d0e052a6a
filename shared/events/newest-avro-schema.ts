import { readFileSync } from 'node:fs';
import { readVersions, type SchemaName } from './schema-versions.ts';

/** The newest version of a schema, as its file has it. */
export function newestAvroSchema(name: SchemaName): Readonly<Record<string, unknown>> {
  const file = new URL(`./avro/${name}.v${readVersions[name]}.avsc`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}
