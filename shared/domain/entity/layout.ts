import { Refusal } from '../errors.ts';
import { isStorableJson } from '../field/types/json/read-json-object.ts';
import { printable } from '../printable.ts';
import type { RecordState } from '../record/record-state.ts';
import type { AttributeValue } from '../value/attribute-values.ts';

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
  throw new Refusal('not_found', 'layout.unknown', `There is no layout '${printable(name)}'.`);
}

/** Refuses a body that cannot be a layout: clients know what a layout contains, Annals bounds its size and depth. */
export function readLayout(body: unknown): AttributeValue {
  if (typeof body !== 'object' || body === null) {
    throw badLayout('A layout has to be a JSON array or object.');
  }
  if (!isStorableJson(body, MAX_LAYOUT_DEPTH)) {
    throw badLayout(
      `A layout has at most ${MAX_LAYOUT_DEPTH} levels, without __proto__, NUL and broken characters.`,
    );
  }
  if (Buffer.byteLength(JSON.stringify(body)) > MAX_LAYOUT_BYTES) {
    throw badLayout(`A layout has at most ${MAX_LAYOUT_BYTES} bytes.`);
  }
  return body;
}

export function badLayout(message: string): Refusal {
  return new Refusal('invalid', 'layout.invalid', message);
}

/** The layouts that replace generated ones, by name, from the definition record of the entity type. */
export function layoutsIn(
  definition: RecordState | undefined,
): Readonly<Partial<Record<LayoutName, AttributeValue>>> {
  return definition === undefined || definition.deleted
    ? {}
    : Object(definition.values['layouts'] ?? {});
}
