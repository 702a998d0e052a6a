import type { Actor } from '../../../shared/domain/access/actor.ts';
import { counted } from '../../../shared/domain/counted.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { accessOf } from '../../../shared/domain/entity/definition/entity-definition.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { ratesIn } from '../../../shared/domain/input/currency-rates.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { toIds, toMap } from '../../../shared/http/require-object.ts';
import { keyAttributes } from '../../../shared/http/set-ignored-header.ts';
import type { ListFilter } from '../../../shared/search/list-filter.ts';
import { readSearchParams } from '../../../shared/search/read-search-params.ts';
import type { CommandContext } from '../context.ts';
import type { PlannedMassAction } from './mass-action.ts';
import { type MassActionKind, massActionKind, revertAction } from './mass-action-kinds.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Plans a mass action, with the ids of all its records. Rejects invalid and forbidden requests. The decision rejects a
 * search with too many results.
 */
export async function planMassAction(
  { actor, body }: { readonly actor: Actor; readonly body: Body },
  context: CommandContext,
): Promise<PlannedMassAction> {
  const entityType = readName(body, 'entityType');
  const action = readName(body, 'action');
  const params = readObject(body['params'], 'params');
  const data = readObject(body['data'] ?? {}, 'data');
  const model = requireEntity(context.directory, entityType);
  const kind = requireKind(model, action);
  const selection = readSelection(params);
  const isByIds = selection.ids !== undefined;
  kind.requireRights({ actor, model, data, isSearch: !isByIds });
  const kept = kind.prepare({ actor, model, data, currencies: ratesIn(context.directory) });
  const planned = { entityType: model.name, action, data: kept, isByIds };
  if (selection.ids !== undefined) return { ...planned, ids: selection.ids };
  const { filter } = selection;
  const ids = await context.findIds({
    actor,
    model,
    filter,
    limit: context.config.maxMassActionRecords + 1,
  });
  return { ...planned, ids };
}

/** An import can change this many records, and must remain undoable. */
const MAX_UNDONE = 100_000;

export function maxRecordsOf(
  action: string,
  { maxMassActionRecords }: Pick<CommandContext['config'], 'maxMassActionRecords'>,
): number {
  return action === revertAction
    ? Math.max(maxMassActionRecords, MAX_UNDONE)
    : maxMassActionRecords;
}

export function tooManyRecords(max: number): Refusal {
  return new Refusal(
    'invalid',
    'mass_action.too_many',
    `A mass action can change at most ${counted(max, 'record')}.`,
  );
}

function requireEntity(directory: Directory, entityType: string): EntityModel {
  const model = directory.entity(entityType);
  if (model !== undefined && model.definition.isInternal !== true) return model;
  const name = printable(entityType);
  throw new Refusal('not_found', 'entity.unknown', `Entity type '${name}' does not exist.`);
}

function requireKind(model: EntityModel, action: string): MassActionKind {
  const kind = massActionKind(action);
  if (kind === undefined) {
    const name = printable(action);
    throw new Refusal('not_found', 'action.unknown', `Action '${name}' does not exist.`);
  }
  // Users, teams and roles have no mass actions.
  const isWorkedWith = model.definition.isObject || accessOf(model.definition) === 'switch';
  if (isWorkedWith && kind.isFor(model)) return kind;
  const message = `Action '${action}' is not allowed for ${model.name}.`;
  throw new Refusal('forbidden', 'mass_action.not_allowed', message);
}

type Selection =
  | { readonly ids: readonly string[] }
  | { readonly ids?: undefined; readonly filter: ListFilter };

/** Requires either ids or a search, because a request without either would select all records. */
function readSelection(params: Body): Selection {
  const { ids } = params;
  const filter = readSearch(params);
  if (ids != null && filter !== undefined) {
    throw badBody("'params' has 'ids' or a search, not both.");
  }
  if (ids != null) return { ids: readIds(ids) };
  if (filter === undefined) throw badBody("'params' needs 'ids', 'where' or 'searchParams'.");
  return { filter };
}

/** Reads the search in `where` or `searchParams` of a body. Returns undefined if the body contains neither. */
export function readSearch({ where, searchParams }: Body): ListFilter | undefined {
  if (where == null && searchParams == null) return undefined;
  const search = searchParams == null ? {} : readObject(searchParams, 'searchParams');
  return readSearchParams(where == null ? search : { ...search, where });
}

/** Returns unknown names in a search's `orderBy` and `select`. A mass action uses neither parameter. */
export function unknownInSearch(
  findModel: FindModel,
  { entityType, params }: Body,
): readonly string[] {
  const model = findModel(String(entityType));
  const search = toMap(toMap(params)?.['searchParams']);
  if (model === undefined || search === undefined) return [];
  const { orderBy, sortBy, select } = search;
  const isKnown = (name: string) =>
    keyAttributes.has(name) || model.fields.has(name) || model.attribute.has(name);
  return [orderBy, sortBy, select]
    .flat()
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !isKnown(name));
}

function readIds(ids: unknown): readonly string[] {
  const read = toIds(ids);
  if (read === undefined) throw badBody("'params.ids' must be a list of ids.");
  return read;
}

function readName(body: Body, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw badBody(`'${name}' is missing.`);
}

function readObject(value: unknown, name: string): Body {
  const read = toMap(value);
  if (read !== undefined) return read;
  throw badBody(value === undefined ? `'${name}' is missing.` : `'${name}' must be an object.`);
}

function badBody(message: string): Refusal {
  return new Refusal('invalid', 'mass_action.body', message);
}
