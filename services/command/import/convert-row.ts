import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { printable } from '../../../shared/domain/printable.ts';
import type { JsonObject } from '../owner/read-body.ts';
import { cutText } from './cut-text.ts';
import { extraEntry, type ImportPlan, isPersonName, linkNamed } from './import-plan.ts';
import type { LocalTimes } from './read-local-time.ts';

export interface Conversion {
  readonly model: EntityModel;
  readonly plan: ImportPlan;
  readonly times: LocalTimes;
  /** Returns the id of the record with a name, by the id attribute of the link; undefined if it does not exist. */
  readonly findLinked: (idAttribute: string, name: string) => string | undefined;
}

/** `create`: with the default values. `update`: empty cells empty the field. `complete`: empty cells are skipped. */
type RowUse = 'create' | 'update' | 'complete';

/**
 * Converts the cells of a row to the body of a write. Texts that do not fit their field are kept, so that the write
 * rejects them. Rejects names of linked records that do not exist.
 */
export function convertRow(
  cells: readonly string[],
  use: RowUse,
  conversion: Conversion,
): JsonObject {
  const { model, plan } = conversion;
  const body: Record<string, unknown> = use === 'create' ? { ...plan.defaultValues } : {};
  const columns = plan.attributes.flatMap((name, index) => {
    const cell = (cells[index] ?? '').trim();
    return name === null || name === 'id' ? [] : [{ name, cell, extra: extraEntry(model, name) }];
  });
  for (const { name, cell, extra } of columns) {
    if (extra !== undefined) continue;
    if (cell !== '') Object.assign(body, convertCell(name, cell, conversion));
    else if (use === 'update') Object.assign(body, emptied(model, name));
  }
  for (const field of ['emailAddress', 'phoneNumber']) {
    const entries = columns.flatMap(({ cell, extra }) =>
      extra?.field === field && cell !== '' ? [toEntry(extra, cell)] : [],
    );
    if (entries.length > 0) addEntries(body, field, entries);
  }
  return body;
}

function emptied(model: EntityModel, name: string): JsonObject {
  const link = linkNamed(model, name);
  if (link !== undefined) return { [link.name]: null };
  return isPersonName(model, name) ? splitName(name, '', 'l') : { [name]: null };
}

function toEntry(
  { field, type }: { readonly field: string; readonly type: string | undefined },
  text: string,
): object {
  return { [field]: text, ...(type === undefined ? {} : { type }) };
}

/** The first entry is the primary one. */
function addEntries(body: Record<string, unknown>, field: string, extra: readonly object[]): void {
  const first = typeof body[field] === 'string' ? [{ [field]: body[field] }] : [];
  const all = [...first, ...extra];
  body[`${field}Data`] = all.map((entry, index) => ({ ...entry, primary: index === 0 }));
  delete body[field];
}

function convertCell(name: string, cell: string, conversion: Conversion): JsonObject {
  const { model, plan, findLinked } = conversion;
  const link = linkNamed(model, name);
  if (link !== undefined) {
    const id = findLinked(link.name, cell);
    if (id === undefined) throw noLinked(link.field, cell);
    return { [link.name]: id };
  }
  if (isPersonName(model, name)) return splitName(name, cell, plan.personNameFormat);
  const attribute = model.attribute.get(name);
  if (attribute === undefined) return { [name]: cell };
  const value = convertText(attribute, cell, conversion);
  const currency = `${attribute.field}Currency`;
  const isAmount = model.fields.get(attribute.field)?.type === 'currency' && name !== currency;
  const isCurrencyGiven = plan.currency === null || plan.attributes.includes(currency);
  return { [name]: value, ...(isAmount && !isCurrencyGiven ? { [currency]: plan.currency } : {}) };
}

function noLinked(field: string, name: string): Refusal {
  const message = `${field}: no record has the name '${printable(name)}'.`;
  const errors = [{ field, type: 'valid', message }] as const;
  return new Refusal('not_found', 'import.no_link', message, { errors });
}

function convertText(
  { kind, field }: Attribute,
  cell: string,
  { model, plan, times }: Conversion,
): unknown {
  switch (kind) {
    case 'bool':
      return cell !== '0' && cell.toLowerCase() !== 'false';
    case 'int':
    case 'float':
      return toNumber(toNumberText(cell, plan.decimalMark));
    case 'decimal':
      return toNumberText(cell, plan.decimalMark);
    case 'date':
      return times.date(cell);
    case 'datetime':
      return times.dateTime(cell);
    case 'strings':
      return cell.startsWith('[')
        ? (parsed(cell) ?? cell)
        : cell.split(',').map((one) => one.trim());
    case 'json':
      return parsed(cell) ?? cell;
    case 'string': {
      const { type, maxLength } = model.fields.get(field) ?? {};
      return type === 'varchar' && maxLength !== undefined ? cutText(cell, maxLength) : cell;
    }
  }
}

/** Removes blanks and thousands separators. */
function toNumberText(cell: string, decimalMark: string): string {
  const plain = cell.replaceAll(decimalMark === ',' ? /[\s.'’]/g : /[\s,'’]/g, '');
  return decimalMark === ',' ? plain.replace(',', '.') : plain;
}

function toNumber(text: string): number | string {
  return /^[+-]?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Splits a full name. Words between the first and the last name belong to the first name unless the format has a middle name. */
export function splitName(field: string, text: string, format: string): JsonObject {
  const suffix = field.charAt(0).toUpperCase() + field.slice(1);
  const [first, middle, last] = partsOf(text, format);
  return {
    [`first${suffix}`]: first || null,
    ...(format.includes('m') ? { [`middle${suffix}`]: middle || null } : {}),
    [`last${suffix}`]: last || null,
  };
}

function partsOf(text: string, format: string): readonly [string, string, string] {
  const words = text.split(/\s+/);
  switch (format) {
    case 'f l':
      return [words.slice(0, -1).join(' '), '', words.at(-1) ?? ''];
    case 'l f':
      return [words.slice(1).join(' '), '', words[0] ?? ''];
    case 'l, f': {
      const [last = '', ...rest] = text.split(',');
      return [rest.join(',').trim(), '', last.trim()];
    }
    case 'f m l':
      return [
        words.length > 1 ? (words[0] ?? '') : '',
        words.slice(1, -1).join(' '),
        words.at(-1) ?? '',
      ];
    case 'l f m':
      return [words[1] ?? '', words.slice(2).join(' '), words[0] ?? ''];
    default:
      return ['', '', text];
  }
}
