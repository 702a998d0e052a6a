import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const sources = join(import.meta.dirname, '..', '..', '..');
const LATER = [
  ['record-event', 3],
  ['webhook-batch', 3],
] as const;
/** The field that later versions add. */
const FIELD = { name: 'later', type: 'string', default: 'of a later version' };

/**
 * Creates the sources of a later version of Annals in a folder: its events and webhook batches have an
 * additional field, as an additive schema change does. Returns the folder.
 */
export function makeLaterBuild(place: string): string {
  const root = join(place, 'later');
  for (const part of ['services', 'shared', 'infra', 'package.json', 'package-lock.json']) {
    cpSync(join(sources, part), join(root, part), { recursive: true });
  }
  symlinkSync(join(sources, 'node_modules'), join(root, 'node_modules'));
  const events = join(root, 'shared', 'events');
  const numbers = join(events, 'schema-versions.ts');
  let text = readFileSync(numbers, 'utf8');
  for (const [name, newest] of LATER) {
    const schema = JSON.parse(
      readFileSync(join(events, 'avro', `${name}.v${newest}.avsc`), 'utf8'),
    );
    schema.fields.push(FIELD);
    writeFileSync(join(events, 'avro', `${name}.v${newest + 1}.avsc`), JSON.stringify(schema));
    const before = text;
    // The first mention is that of the versions that are read.
    text = text.replace(`'${name}': ${newest},`, `'${name}': ${newest + 1},`);
    if (text === before) throw new Error(`version ${newest} of ${name} is not the newest one`);
  }
  writeFileSync(numbers, text);
  return root;
}

/** Creates a later version whose dispatchers still belong to this version, as in the middle of an upgrade. */
export function makeMixedBuild(place: string): string {
  const root = makeLaterBuild(place);
  const entry = join('services', 'dispatcher', 'main.ts');
  writeFileSync(join(root, entry), `await import('${pathToFileURL(join(sources, entry))}');\n`);
  return root;
}
