import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./avro/', import.meta.url);

/** The newest version of a schema, `record-event` for example, as its file has it. */
export function newestAvroSchema(name: string): Readonly<Record<string, unknown>> {
  const versions = readdirSync(folder)
    .map((file) => new RegExp(`^${name}[.]v(\\d+)[.]avsc$`).exec(file)?.[1])
    .filter((version) => version !== undefined)
    .map(Number);
  const file = `${name}.v${Math.max(...versions)}.avsc`;
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
}
