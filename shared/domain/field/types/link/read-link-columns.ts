import type { AttributeValue } from '../../../value/attribute-values.ts';
import {
  type AttributeRule,
  type ReadAttribute,
  type Report,
  refuse,
} from '../../attribute-rule.ts';
import { isId } from './read-link.ts';

export interface ColumnsRule extends AttributeRule {
  /** Keyed by column name. */
  readonly columns: ReadonlyMap<string, ReadAttribute | undefined>;
}

/**
 * Reads `xColumns`: objects of columns, keyed by the id of the linked record. Ignores unknown columns, because clients
 * send back what they have read. PHP clients send an empty object as `[]`.
 */
export function readLinkColumns(
  rule: ColumnsRule,
  value: unknown,
  report: Report,
): AttributeValue | undefined {
  if (value === null || (Array.isArray(value) && value.length === 0)) return {};
  const entries = toEntries(value);
  if (entries === undefined || entries.length > MAX_ENTRIES || !entries.every(([id]) => isId(id))) {
    return refuse(rule, 'columnsValid', 'must be an object that maps ids to columns', report);
  }
  const read: Record<string, AttributeValue> = {};
  for (const [id, given] of entries) {
    const row = readRow(rule, given, report);
    if (row === undefined) return undefined;
    read[id] = row;
  }
  return read;
}

function readRow(rule: ColumnsRule, value: unknown, report: Report): AttributeValue | undefined {
  const entries = Array.isArray(value) && value.length === 0 ? [] : toEntries(value);
  if (entries === undefined) {
    return refuse(rule, 'columnsValid', 'must have an object of columns for each id', report);
  }
  const row: Record<string, AttributeValue> = {};
  for (const [name, given] of entries) {
    const read = rule.columns.get(name);
    if (read === undefined) continue;
    const column = read(given, (problem) => report({ ...problem, type: 'columnsValid' }));
    if (column === undefined) return undefined;
    row[name] = column;
  }
  return row;
}

function toEntries(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.entries(value) : undefined;
}

const MAX_ENTRIES = 5000;
