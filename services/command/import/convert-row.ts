import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import type { JsonObject } from '../owner/read-body.ts';
import { extraEntry, type ImportPlan, isPersonName, linkNamed } from './import-plan.ts';
import type { LocalTimes } from './read-local-time.ts';

/** A row as the body of a write. */
export interface ConvertedRow {
  readonly id: string | undefined;
  readonly body: JsonObject;
  /** Names of linked records, by the id attribute of the link. */
  readonly linkNames: ReadonlyMap<string, string>;
}

interface Conversion {
  readonly model: EntityModel;
  readonly plan: ImportPlan;
  readonly times: LocalTimes;
  /** True for an existing record, whose values become null where the row is empty. */
  readonly isUpdate: boolean;
}

/** Converts the texts of a row. Texts that do not fit their field are kept, so that the write rejects them. */
export function convertRow(cells: readonly string[], conversion: Conversion): ConvertedRow {
  const { model, plan, isUpdate } = conversion;
  const body: Record<string, unknown> = isUpdate ? {} : { ...plan.defaultValues };
  const linkNames = new Map<string, string>();
  const entries: Record<string, object[]> = {};
  let id: string | undefined;
  for (const [index, name] of plan.attributes.entries()) {
    const cell = (cells[index] ?? '').trim();
    if (name === null) continue;
    const link = linkNamed(model, name);
    const extra = extraEntry(model, name);
    if (name === 'id') id = cell === '' ? undefined : cell;
    else if (cell === '') {
      if (isUpdate && extra === undefined) Object.assign(body, emptied(model, name));
    } else if (extra !== undefined) {
      (entries[extra.field] ??= []).push(toEntry(extra, cell));
    } else if (link !== undefined) linkNames.set(link.name, cell);
    else if (isPersonName(model, name)) {
      Object.assign(body, splitName(name, cell, plan.personNameFormat));
    } else Object.assign(body, convertCell(name, cell, conversion));
  }
  for (const [field, extra] of Object.entries(entries)) addEntries(body, field, extra);
  return { id, body, linkNames };
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
  const first = body[field] === undefined ? [] : [{ [field]: body[field] }];
  const all = [...first, ...extra];
  body[`${field}Data`] = all.map((entry, index) => ({ ...entry, primary: index === 0 }));
  delete body[field];
}

function convertCell(name: string, cell: string, { model, plan, times }: Conversion): JsonObject {
  const attribute = model.attribute.get(name);
  if (attribute === undefined) return { [name]: cell };
  const value = convertText(attribute, cell, { model, plan, times });
  const currency = `${attribute.field}Currency`;
  const isAmount = model.fields.get(attribute.field)?.type === 'currency' && name !== currency;
  if (!isAmount || plan.currency === null) return { [name]: value };
  const isMapped = plan.attributes.includes(currency);
  return isMapped ? { [name]: value } : { [name]: value, [currency]: plan.currency };
}

function convertText(
  { kind, field }: Attribute,
  cell: string,
  { model, plan, times }: Pick<Conversion, 'model' | 'plan' | 'times'>,
): unknown {
  switch (kind) {
    case 'bool':
      return cell !== '0' && cell.toLowerCase() !== 'false';
    case 'int':
    case 'float':
    case 'decimal':
      return toNumberText(cell, plan.decimalMark);
    case 'date':
      return times.date(cell);
    case 'datetime':
      return times.dateTime(cell);
    case 'strings':
      return cell.startsWith('[') ? (parsed(cell) ?? cell) : cell.split(',').map((one) => one.trim());
    case 'json':
      return parsed(cell) ?? cell;
    case 'string': {
      const { type, maxLength } = model.fields.get(field) ?? {};
      return type === 'varchar' && maxLength !== undefined ? cell.slice(0, maxLength) : cell;
    }
  }
}

/** Removes blanks and thousands separators. */
function toNumberText(cell: string, decimalMark: string): string {
  const plain = cell.replaceAll(decimalMark === ',' ? /[\s.'’]/g : /[\s,'’]/g, '');
  return decimalMark === ',' ? plain.replace(',', '.') : plain;
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
      return [words.length > 1 ? (words[0] ?? '') : '', words.slice(1, -1).join(' '), words.at(-1) ?? ''];
    case 'l f m':
      return [words[1] ?? '', words.slice(2).join(' '), words[0] ?? ''];
    default:
      return ['', '', text];
  }
}
