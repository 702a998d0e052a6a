import type { LayoutField, LayoutPanel } from '../../../api/layouts.ts';

/** The place of a field: the panel and the position in it. */
export interface FieldPlace {
  readonly panel: number;
  readonly at: number;
}

type Panels = readonly LayoutPanel[];

/** Moves a field before the one at `to`, or to the end of that panel. */
export function moveField(panels: Panels, from: FieldPlace, to: FieldPlace): Panels {
  const moved = panels[from.panel]?.fields[from.at];
  if (moved === undefined || panels[to.panel] === undefined) return panels;
  const isLater = from.panel === to.panel && from.at < to.at;
  const at = isLater ? to.at - 1 : to.at;
  return insertField(removeField(panels, from), { panel: to.panel, at }, moved);
}

/**
 * Returns the place above or below, which may be in the adjacent panel; undefined at the top or bottom of the layout.
 */
export function neighbour(
  panels: Panels,
  { panel, at }: FieldPlace,
  direction: 'up' | 'down',
): FieldPlace | undefined {
  if (direction === 'up') {
    if (at > 0) return { panel, at: at - 1 };
    const above = panels[panel - 1];
    return above && { panel: panel - 1, at: above.fields.length };
  }
  // A field is inserted before the field at its new place, so it moves by two to pass the field below.
  if (at + 1 < (panels[panel]?.fields.length ?? 0)) return { panel, at: at + 2 };
  return panels[panel + 1] && { panel: panel + 1, at: 0 };
}

export function insertField(panels: Panels, { panel, at }: FieldPlace, field: LayoutField): Panels {
  return changePanel(panels, panel, ({ fields }) => ({ fields: fields.toSpliced(at, 0, field) }));
}

export function removeField(panels: Panels, { panel, at }: FieldPlace): Panels {
  return changePanel(panels, panel, ({ fields }) => ({ fields: fields.toSpliced(at, 1) }));
}

export function changeField(panels: Panels, { panel, at }: FieldPlace, field: LayoutField): Panels {
  return changePanel(panels, panel, ({ fields }) => ({ fields: fields.with(at, field) }));
}

export function changePanel(
  panels: Panels,
  panel: number,
  change: (panel: LayoutPanel) => Partial<LayoutPanel>,
): Panels {
  return panels.map((one, index) => (index === panel ? { ...one, ...change(one) } : one));
}

/** Returns the names of the fields that no panel shows. */
export function unusedFields(panels: Panels, all: readonly string[]): readonly string[] {
  const used = new Set(panels.flatMap(({ fields }) => fields.map(({ name }) => name)));
  return all.filter((name) => !used.has(name));
}
