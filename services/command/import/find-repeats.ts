import type { ImportPlan } from './import-plan.ts';
import { identityOf } from './prepare-rows.ts';
import type { CsvRow } from './read-csv.ts';

const nameParts: ReadonlySet<string> = new Set(['name', 'firstName', 'middleName', 'lastName']);

/**
 * Returns keys of a row. Rows with a common key may be the same record. Folds more than the search for matches does: a
 * common key only makes a row wait for the earlier one.
 */
export function keysOf(row: CsvRow, plan: ImportPlan): readonly string[] {
  const keys: string[] = [];
  const identity = identityOf(row, plan);
  if (identity !== undefined) keys.push(JSON.stringify(identity.map(fold)));
  if (plan.duplicates === 'ignore') return keys;
  let name = '';
  for (const [column, attribute] of plan.attributes.entries()) {
    const cell = fold(row.cells[column] ?? '');
    if (attribute === null || cell === '') continue;
    if (nameParts.has(attribute)) name += ` ${cell}`;
    if (attribute.startsWith('emailAddress')) keys.push(`@${cell}`);
  }
  return name === '' ? keys : [...keys, `name${name}`];
}

function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
}

/** Splits rows into those without an earlier row that may be the same record, and all others. */
export function splitRepeats(
  rows: readonly CsvRow[],
  plan: ImportPlan,
): { readonly first: readonly CsvRow[]; readonly repeated: readonly CsvRow[] } {
  const seen = new Set<string>();
  const first: CsvRow[] = [];
  const repeated: CsvRow[] = [];
  for (const row of rows) {
    const keys = keysOf(row, plan);
    (keys.some((key) => seen.has(key)) ? repeated : first).push(row);
    for (const key of keys) seen.add(key);
  }
  return { first, repeated };
}
