import { Refusal } from '../errors.ts';
import { isStorableJson } from '../field/types/json/read-json-object.ts';
import { printable } from '../printable.ts';
import type { RecordState } from '../record/record-state.ts';
import { type AttributeValue, isObject, toObject } from '../value/attribute-values.ts';

/** The layouts of an entity type that clients read and administrators can replace. */
export const layoutNames = [
  'list',
  'listSmall',
  'listDashlet',
  'kanban',
  'detail',
  'detailSmall',
  'detailConvert',
  'filters',
  'massUpdate',
  'relationships',
  'sidePanelsDetail',
  'sidePanelsDetailSmall',
  'sidePanelsEdit',
  'sidePanelsEditSmall',
  'bottomPanelsDetail',
  'bottomPanelsDetailSmall',
  'bottomPanelsEdit',
  'bottomPanelsEditSmall',
  'defaultSidePanel',
] as const;

export type LayoutName = (typeof layoutNames)[number];

const MAX_LAYOUT_BYTES = 64 * 1024;
const MAX_LAYOUT_DEPTH = 16;

export function requireLayoutName(name: string): LayoutName {
  const found = layoutNames.find((one) => one === name);
  if (found !== undefined) return found;
  throw new Refusal('not_found', 'layout.unknown', `Unknown layout '${printable(name)}'.`);
}

const columnLayouts: ReadonlySet<string> = new Set(['list', 'listSmall', 'listDashlet', 'kanban']);
const nameLayouts: ReadonlySet<string> = new Set(['filters', 'massUpdate', 'relationships']);

/**
 * Validates that a layout is storable and bounded in size and depth, and that every client can read the entries of a
 * list. Clients define everything else.
 */
export function readLayout(body: unknown, name: LayoutName): AttributeValue {
  if (typeof body !== 'object' || body === null) {
    throw badLayout('A layout must be a JSON array or object.');
  }
  const entries: readonly unknown[] = Array.isArray(body) ? body : [];
  if (columnLayouts.has(name) && !entries.every(isColumn)) {
    throw badLayout(`Each entry of the layout ${name} must be an object with the name of a field.`);
  }
  if (nameLayouts.has(name) && !entries.every((one) => typeof one === 'string' || isColumn(one))) {
    throw badLayout(`Each entry of the layout ${name} must be a name, or an object with a name.`);
  }
  if (!isStorableJson(body, MAX_LAYOUT_DEPTH)) {
    throw badLayout(
      `A layout must have at most ${MAX_LAYOUT_DEPTH} levels and must not contain __proto__, NUL or unpaired surrogates.`,
    );
  }
  if (Buffer.byteLength(JSON.stringify(body)) > MAX_LAYOUT_BYTES) {
    throw badLayout(`A layout must have at most ${MAX_LAYOUT_BYTES} bytes.`);
  }
  return body;
}

function isColumn(one: unknown): boolean {
  return isObject(one) && typeof one['name'] === 'string';
}

export function badLayout(message: string): Refusal {
  return new Refusal('invalid', 'layout.invalid', message);
}

/** Returns the layouts that replace generated layouts, by name, from the entity type's definition record. */
export function layoutsIn(
  definition: RecordState | undefined,
): Readonly<Partial<Record<LayoutName, AttributeValue>>> {
  return definition === undefined || definition.deleted
    ? {}
    : toObject(definition.values['layouts']);
}
