import { type Actor, requireScope } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { createLocalClock, type LocalClock } from '../../../shared/domain/value/date-time.ts';
import { toIds, toMap } from '../../../shared/http/require-object.ts';
import { noFilter } from '../../../shared/search/list-filter.ts';
import { readSearchParams } from '../../../shared/search/read-search-params.ts';
import { viewFor } from '../../../shared/search/record-view.ts';
import type { Direction } from '../rows/page.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Parses an export request. `ignored` lists the requested names that do not exist or that the role hides. Undefined
 * attributes mean the default list columns. Rejects malformed requests, and requests for an entity type that the actor
 * may not export.
 */
export function planExport(
  { actor, body }: { readonly actor: Actor; readonly body: Body },
  directory: Directory,
) {
  const { entityType, format = 'csv' } = body;
  if (typeof entityType !== 'string') throw badExport("'entityType' is missing.");
  if (format !== 'csv' && format !== 'xlsx') throw badExport("'format' must be 'csv' or 'xlsx'.");
  const model = requireExportable(actor, directory.entity(entityType), entityType);
  const attributes = readAttributes(model, body);
  const { isVisible } = viewFor(actor, model, directory.entity);
  const isShown = (name: string) =>
    name === 'id' ||
    model.attributes.some(
      (attribute) => isVisible(attribute) && (attribute.name === name || attribute.field === name),
    );
  const named = body['attributeList'] ?? body['fieldList'] ?? [];
  const ignored = readNames(named, 'attributeList').filter((name) => !isShown(name));
  return { model, format, clock: readClock(body), ...readSelection(body), attributes, ignored };
}

const CSV_TYPE = 'text/csv';
const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Returns the name and the media type of the file. */
export function fileOf({ model, format }: ReturnType<typeof planExport>) {
  return {
    name: `Export_${model.name}.${format}`,
    type: format === 'csv' ? CSV_TYPE : XLSX_TYPE,
  };
}

function requireExportable(
  actor: Actor,
  model: EntityModel | undefined,
  entityType: string,
): EntityModel {
  if (model === undefined || model.definition.isInternal === true) {
    const message = `Entity type '${printable(entityType)}' does not exist.`;
    throw new Refusal('not_found', 'entity.unknown', message);
  }
  if (actor.type !== 'admin' && actor.permissions.export !== 'yes') {
    throw new Refusal('forbidden', 'export.denied', 'No export permission.');
  }
  // Users, roles and webhooks contain secrets, and are not records that people work with.
  if (!model.definition.isObject) {
    throw new Refusal('forbidden', 'export.not_allowed', `${model.name} cannot be exported.`);
  }
  requireScope(actor, model.name, 'read');
  return model;
}

/** Reads either ids or a search. A request without either is rejected, because it would export all records. */
function readSelection(body: Body) {
  const { ids, where, searchParams } = body;
  const isSearch = where != null || searchParams != null;
  if (ids != null && isSearch)
    throw badExport("An export must have either 'ids' or a search, not both.");
  const params = toMap(searchParams ?? {});
  if (params === undefined) throw badExport("'searchParams' must be an object.");
  const order = readOrder(params);
  if (ids != null) {
    const read = toIds(ids);
    if (read === undefined) throw badExport("'ids' must be a list of ids.");
    return { ids: read, filter: noFilter, ...order };
  }
  if (!isSearch) throw badExport("An export needs 'ids', 'where' or 'searchParams'.");
  const filter = readSearchParams(where == null ? params : { ...params, where });
  return { ids: undefined, filter, ...order };
}

/** Returns the clock for the times of a spreadsheet. */
function readClock({ timeZone }: Body): LocalClock {
  if (timeZone == null || timeZone === '') return createLocalClock('UTC');
  try {
    return createLocalClock(String(timeZone));
  } catch {
    throw badExport("'timeZone' must be the name of a time zone, such as Europe/Berlin.");
  }
}

function readOrder({ orderBy, order }: Body): {
  readonly orderBy: string | undefined;
  readonly direction: Direction | undefined;
} {
  if (orderBy != null && typeof orderBy !== 'string') throw badExport("'orderBy' must be a name.");
  const direction = order == null || order === '' ? undefined : String(order).toLowerCase();
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc') {
    throw badExport("'order' must be 'asc' or 'desc'.");
  }
  return { orderBy: orderBy == null || orderBy === '' ? undefined : orderBy, direction };
}

/** Returns the requested attributes, which may be given by their own names or by the names of their fields. */
function readAttributes(
  model: EntityModel,
  { attributeList, fieldList }: Body,
): readonly string[] | undefined {
  if (attributeList != null) return readNames(attributeList, 'attributeList');
  if (fieldList == null) return undefined;
  return readNames(fieldList, 'fieldList').flatMap((name) => attributesOf(model, name));
}

function attributesOf(model: EntityModel, fieldName: string): readonly string[] {
  if (fieldName === 'id') return ['id'];
  return model.attributes.filter(({ field }) => field === fieldName).map(({ name }) => name);
}

function readNames(value: unknown, name: string): readonly string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList) return [...new Set<string>(value)];
  throw badExport(`'${name}' must be a list of names.`);
}

export function badExport(message: string): Refusal {
  return new Refusal('invalid', 'export.invalid', message);
}
