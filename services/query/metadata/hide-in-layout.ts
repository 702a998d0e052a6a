import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import { mayViewLink } from '../links/viewable-link.ts';
import type { LayoutReader } from './layout-reader.ts';
import { fieldsWithin, linksWithin } from './reach.ts';

type Hidden = ReadonlySet<string>;

/**
 * Returns a stored layout without the fields and links that are hidden from the reader. Keeps unknown names, which are
 * panels and views of clients.
 */
export function hideInLayout(layout: unknown, reader: LayoutReader): unknown {
  if (reader.actor.type === 'admin') return layout;
  const hidden = hiddenNames(reader);
  if (Array.isArray(layout)) {
    return layout
      .filter((entry) => !isHidden(entry, hidden))
      .map((entry) => hideCells(entry, hidden));
  }
  return Object.fromEntries(
    Object.entries(Object(layout)).filter(
      ([name, panel]) => !hidden.has(name) && !isHidden(panel, hidden),
    ),
  );
}

function hiddenNames({ actor, model, view, reach, findModel }: LayoutReader): Hidden {
  const shown = new Set(fieldsWithin(model, reach).map(([name]) => name));
  const closed = model.attributes.filter((one) => !view.isVisible(one) || !shown.has(one.field));
  const links = linksWithin(model, reach, findModel)
    .filter((link) => mayViewLink({ actor, model, view }, link, findModel))
    .map(({ name }) => name);
  return new Set([
    ...closed.flatMap(({ name, field }) => [name, field]),
    ...new Set(linksOf(model, findModel).keys()).difference(new Set(links)),
  ]);
}

/** An entry of a layout is a name, or an object with one. `:assignedUser` names a field of one or several users. */
function isHidden(entry: unknown, hidden: Hidden): boolean {
  const name: unknown = typeof entry === 'string' ? entry : Object(entry).name;
  return typeof name === 'string' && hidden.has(name.replace(/^:/, ''));
}

/** Replaces hidden cells of a panel with empty ones, so that the other cells keep their columns. */
function hideCells(panel: unknown, hidden: Hidden): unknown {
  if (typeof panel !== 'object' || panel === null) return panel;
  const hideIn = (rows: readonly unknown[]) =>
    rows.map((row) =>
      Array.isArray(row) ? row.map((cell) => (isHidden(cell, hidden) ? false : cell)) : row,
    );
  return Object.fromEntries(
    Object.entries(panel).map(([key, value]) => [
      key,
      (key === 'rows' || key === 'columns') && Array.isArray(value) ? hideIn(value) : value,
    ]),
  );
}
