import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';

/** The layouts that the console uses and edits: the columns of lists, and the panels of record pages and forms. */
export type LayoutName = 'list' | 'detail';

export interface LayoutField {
  readonly name: string;
  /** In a panel: true if the field takes a whole row. */
  readonly fullWidth?: boolean;
  /** In a list: the width of the column in percent. */
  readonly width?: number;
}

/** A panel of a record page. The columns of a list are one panel without a label. */
export interface LayoutPanel {
  readonly label: string;
  /** A label that an administrator has entered. It is not translated. */
  readonly customLabel?: string;
  readonly fields: readonly LayoutField[];
}

/**
 * Returns the panels of a stored layout. The server does not validate the layouts that other clients store, so entries
 * that are not panels or fields are omitted. Properties of panels and fields that only other clients use are kept.
 */
export function panelsIn(name: LayoutName, layout: unknown): readonly LayoutPanel[] {
  const entries: readonly unknown[] = Array.isArray(layout) ? layout : [];
  if (name === 'list') return [{ label: '', fields: fieldsIn(entries) }];
  return entries.flatMap((panel) => {
    if (!isObject(panel)) return [];
    const { rows, columns, label, ...others } = panel;
    const cells = [rows, columns].find((one) => Array.isArray(one)) ?? [];
    return { ...others, label: textOf(label), fields: fieldsIn(cells.flat()) };
  });
}

/** Returns the layout to store: a panel has two fields per row, and each full-width field has its own row. */
export function toLayout(name: LayoutName, panels: readonly LayoutPanel[]): readonly object[] {
  if (name === 'list') return panels.flatMap(({ fields }) => fields);
  return panels.map(({ fields, ...panel }) => ({ ...panel, rows: toRows(fields) }));
}

type Cell = LayoutField | false;

function toRows(fields: readonly LayoutField[]): readonly (readonly Cell[])[] {
  const rows: Cell[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (field.fullWidth === true) rows.push([field]);
    else if (last?.[1] === false) last[1] = field;
    else rows.push([field, false]);
  }
  return rows;
}

function fieldsIn(cells: readonly unknown[]): readonly LayoutField[] {
  const fields = cells.flatMap((cell) => {
    if (!isObject(cell) || typeof cell['name'] !== 'string') return [];
    const { name, width, fullWidth, ...others } = cell;
    return {
      ...others,
      name,
      ...(fullWidth === true ? { fullWidth } : {}),
      ...(typeof width === 'number' ? { width } : {}),
    };
  });
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Loads a layout as stored, without regard to the user's own permissions. For administrators. */
export function originalLayoutQuery(entity: string, name: LayoutName) {
  return queryOptions({
    queryKey: ['layout', entity, name, 'original'],
    queryFn: async ({ signal }) =>
      panelsIn(
        name,
        await bodyOf(
          api.GET('/Layout/action/getOriginal', {
            params: { query: { scope: entity, name } },
            signal,
          }),
        ),
      ),
  });
}

export async function saveLayout(
  entity: string,
  name: LayoutName,
  panels: readonly LayoutPanel[],
): Promise<void> {
  await api.PUT(`/{entity}/layout/${name}`, {
    params: { path: { entity } },
    body: toLayout(name, panels) as never,
  });
}

/** Restores the layout that the server generates from the fields. */
export async function resetLayout(entity: string, name: LayoutName): Promise<void> {
  await api.POST('/Layout/action/resetToDefault', { body: { scope: entity, name } });
}
