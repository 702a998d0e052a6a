import { accessLevel, mayEditField } from '../../../shared/domain/access/actor.ts';
import {
  type Directory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import {
  type LayoutName,
  layoutsIn,
  requireLayoutName,
} from '../../../shared/domain/entity/layout.ts';
import { isFileField } from '../../../shared/domain/entity/model/file-field.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { type FieldDefinition, fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { mayViewLink } from '../links/open-link.ts';
import { fieldsWithin, type LayoutReader, linksWithin } from './reach.ts';

interface Shown {
  readonly name: string;
  readonly field: FieldDefinition;
}

const listSmall = (reader: LayoutReader) => toColumns(listedFields(reader).slice(0, 3));
const noPanels = () => ({});

const generated: Readonly<Record<LayoutName, (reader: LayoutReader) => unknown>> = {
  list: (reader) => toColumns(listedFields(reader)),
  listSmall,
  listDashlet: listSmall,
  kanban: listSmall,
  detail: (reader) => detailPanels(pageFields(reader)),
  detailSmall: smallPanels,
  detailConvert: smallPanels,
  filters: (reader) => filteredFields(reader).map(({ name }) => name),
  massUpdate: (reader) => massUpdatedFields(reader).map(({ name }) => name),
  relationships: relatedLinks,
  sidePanelsDetail: noPanels,
  sidePanelsDetailSmall: noPanels,
  sidePanelsEdit: noPanels,
  sidePanelsEditSmall: noPanels,
  bottomPanelsDetail: bottomPanels,
  // Clients expect `false` for a type without such panels.
  bottomPanelsDetailSmall: () => false,
  bottomPanelsEdit: () => false,
  bottomPanelsEditSmall: () => false,
  defaultSidePanel: sidePanel,
};

/**
 * Returns the layout that clients use to show an entity type (docs/reference/api.md#screens): the stored layout without
 * the fields and links that are hidden from the actor, or else a layout generated from the fields that the actor sees,
 * including custom fields.
 */
export function layoutOf(reader: LayoutReader, given: string, directory: Directory): unknown {
  const name = requireLayoutName(given);
  const { [name]: stored } = layoutsIn(directory.record(entityDefinitionType, reader.model.name));
  return stored === undefined ? defaultLayout(reader, name) : hideInLayout(stored, reader);
}

export function defaultLayout(reader: LayoutReader, name: LayoutName): unknown {
  return generated[name](reader);
}

/** Returns the fields that layouts can show. The name comes first. */
function shownFields({ model, view, reach }: LayoutReader): readonly Shown[] {
  const visible = fieldsOf(model.attributes.filter(view.isVisible));
  const fields = fieldsWithin(model, reach)
    .map(([name, field]) => ({ name, field }))
    .filter(({ name, field }) => visible.has(name) && placeOf(field) !== 'hidden')
    .filter(({ field }) => field.notStored !== true || field.counts !== undefined);
  const named = fields.filter(({ name }) => name === 'name');
  const parts = named.flatMap(({ name, field }) => fieldTypeOf(field).shownWithin?.(name) ?? []);
  const others = fields.filter(({ name }) => name !== 'name' && !parts.includes(name));
  return [...named, ...others];
}

/** JSON is hidden, except for reminders and fields that administrators added, which are on the record's page. */
function placeOf(field: FieldDefinition) {
  const { layout } = fieldTypeOf(field);
  const isReadable = field.isCustom === true || field.holds === 'reminders';
  return layout === 'hidden' && isReadable ? 'detail' : layout;
}

function fieldsOf(attributes: readonly Attribute[]): ReadonlySet<string> {
  return new Set(attributes.map(({ field }) => field));
}

/** Fields that every entity type has: owner, teams, creator and modifier. */
const aroundFields: ReadonlySet<string> = new Set([
  'assignedUser',
  'teams',
  'collaborators',
  'createdAt',
  'createdBy',
  'modifiedAt',
  'modifiedBy',
]);
const stateFields: ReadonlySet<string> = new Set(['status', 'stage']);
const MAX_OWN_COLUMNS = 4;

/**
 * Returns the columns of a list: the name, then the columns in the definition. If the definition has none, the status,
 * the first fields, the owner and the creation time follow. Custom fields are columns as well.
 */
function listedFields(reader: LayoutReader): readonly Shown[] {
  const fields = shownFields(reader).filter(
    ({ field }) => isForLists(field) && !isOnRequest(field),
  );
  const named = fields.filter(({ name }) => name === 'name');
  const { listFields } = reader.model.definition;
  if (listFields !== undefined) {
    const custom = fields.filter(({ field }) => field.isCustom === true).slice(0, MAX_OWN_COLUMNS);
    const usual = listFields.flatMap((name) => fields.find((one) => one.name === name) ?? []);
    return [...named, ...usual, ...custom];
  }
  const own = fields
    .filter(({ name }) => name !== 'name' && !aroundFields.has(name))
    .toSorted((left, right) => rankOf(left) - rankOf(right));
  const shipped = own.filter(({ field }) => field.isCustom !== true).slice(0, MAX_OWN_COLUMNS);
  const custom = own.filter(({ field }) => field.isCustom === true).slice(0, MAX_OWN_COLUMNS);
  const around = fields.filter(({ name }) => name === 'assignedUser' || name === 'createdAt');
  return [...named, ...shipped, ...custom, ...around];
}

/** Returns the fields of a record's page and form: those in the definition, or else all, and custom fields. */
function pageFields(reader: LayoutReader): readonly Shown[] {
  const fields = shownFields(reader);
  const { pageFields: listed } = reader.model.definition;
  if (listed === undefined) return fields;
  const usual = ['name', ...listed].flatMap(
    (name) => fields.find((one) => one.name === name) ?? [],
  );
  const others = fields.filter(
    ({ name, field }) => field.isCustom === true || aroundFields.has(name),
  );
  return [...usual, ...others];
}

function isForLists(field: FieldDefinition): boolean {
  return placeOf(field) !== 'detail' && fieldTypeOf(field).isLongText !== true;
}

/** Returns whether lists omit the field unless the client selects it. */
function isOnRequest({ notStored, singleReadOnly }: FieldDefinition): boolean {
  return notStored === true || singleReadOnly === true;
}

function rankOf({ name }: Shown): number {
  return stateFields.has(name) ? 0 : 1;
}

/** The first column links to the record. */
function toColumns(fields: readonly Shown[]) {
  return fields.map(({ name }, index) => (index === 0 ? { name, link: true } : { name }));
}

function detailPanels(fields: readonly Shown[]) {
  const around = [...aroundFields].flatMap((name) => fields.find((one) => one.name === name) ?? []);
  const panels = [
    { label: 'Overview', rows: toRows(fields.filter(({ name }) => !aroundFields.has(name))) },
    { label: 'Record', rows: toRows(around) },
  ];
  return panels.filter(({ rows }) => rows.length > 0);
}

/** Returns the fields that lists show, and the required fields of a new record. */
function smallPanels(reader: LayoutReader) {
  const listed = new Set(listedFields(reader).map(({ name }) => name));
  const fields = shownFields(reader).filter(
    ({ name, field }) => field.required === true || listed.has(name) || name === 'teams',
  );
  return [{ label: 'Overview', rows: toRows(fields) }].filter(({ rows }) => rows.length > 0);
}

type Cell = false | { readonly name: string; readonly fullWidth?: true };

/** Arranges two fields per row, then addresses, which are higher, then each long text in a separate row. */
function toRows(fields: readonly Shown[]): readonly (readonly Cell[])[] {
  const kinds = Object.groupBy(fields, ({ field }) => {
    if (fieldTypeOf(field).isLongText === true) return 'long';
    return field.type === 'address' ? 'high' : 'short';
  });
  const { short = [], high = [], long = [] } = kinds;
  return [
    ...toPairs(short),
    ...(high.length === 1 ? toWideRows(high) : toPairs(high)),
    ...toWideRows(long),
  ];
}

function toWideRows(fields: readonly Shown[]): readonly (readonly Cell[])[] {
  return fields.map(({ name }) => [{ name, fullWidth: true }]);
}

function toPairs(fields: readonly Shown[]): readonly (readonly Cell[])[] {
  return fields.flatMap(({ name }, index): readonly (readonly Cell[])[] => {
    const next = fields[index + 1];
    return index % 2 === 0 ? [[{ name }, next === undefined ? false : { name: next.name }]] : [];
  });
}

/** Returns the fields that conditions can refer to. */
function filteredFields(reader: LayoutReader): readonly Shown[] {
  const { model, view } = reader;
  const compared = fieldsOf(
    model.columns.filter((attribute) => attribute.kind !== 'json' && view.isVisible(attribute)),
  );
  return shownFields(reader).filter(({ name, field }) => compared.has(name) && !isFileField(field));
}

/** Returns no fields for users without the mass update permission. */
function massUpdatedFields(reader: LayoutReader): readonly Shown[] {
  const { actor, model } = reader;
  const isAllowed = actor.type === 'admin' || actor.permissions.massUpdate === 'yes';
  const mayEdit = accessLevel(actor, model.name, 'edit') !== 'no';
  if (!model.definition.isObject || !isAllowed || !mayEdit) return [];
  const writable = fieldsOf(model.attributes.filter((attribute) => attribute.writable));
  return shownFields(reader).filter(
    ({ name, field }) =>
      name !== 'name' &&
      writable.has(name) &&
      field.readOnlyAfterCreate !== true &&
      fieldTypeOf(field).isIdentifying !== true &&
      fieldTypeOf(field).layout !== 'hidden' &&
      !isFileField(field) &&
      mayEditField(actor, model, name),
  );
}

/** Returns a panel below the record for each link. Clients sort the panels by index. */
function bottomPanels(reader: LayoutReader) {
  const panels = relatedLinks(reader).map((name, position) => [
    name,
    { name, index: Number((5 + position / 1000).toFixed(3)) },
  ]);
  return Object.fromEntries(panels);
}

/** Returns the owner fields of the record. The colon marks a field for one or several users. */
function sidePanel(reader: LayoutReader) {
  const shown = new Set(shownFields(reader).map(({ name }) => name));
  return ['assignedUser', 'teams', 'collaborators']
    .filter((name) => shown.has(name))
    .map((name) => ({ name: name === 'assignedUser' ? `:${name}` : name }));
}

/** Returns to-many links, except links that layouts show as fields. */
function relatedLinks({ actor, model, view, reach, findModel }: LayoutReader): readonly string[] {
  return linksWithin(model, reach, findModel)
    .filter(({ name, type }) => {
      const isMany = type === 'hasMany' || type === 'hasChildren';
      return isMany && !aroundFields.has(name);
    })
    .filter((link) => mayViewLink({ actor, model, view }, link, findModel))
    .map(({ name }) => name);
}

type Hidden = ReadonlySet<string>;

/**
 * Returns a stored layout without the fields and links that are hidden from the reader. Keeps unknown names, which
 * refer to clients' own panels and views.
 */
function hideInLayout(layout: unknown, reader: LayoutReader): unknown {
  if (reader.actor.type === 'admin') return layout;
  const hidden = hiddenNames(reader);
  if (Array.isArray(layout)) {
    return layout
      .filter((entry) => !isHidden(entry, hidden))
      .map((entry) => hideCells(entry, hidden));
  }
  return Object.fromEntries(
    Object.entries(toObject(layout)).filter(
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

/** A layout entry is a name, or an object with a name. `:assignedUser` names a field for one or several users. */
function isHidden(entry: unknown, hidden: Hidden): boolean {
  const name: unknown = typeof entry === 'string' ? entry : toObject(entry)['name'];
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
