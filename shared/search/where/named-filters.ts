import type { Actor } from '../../domain/access/actor.ts';
import { ownerAttributes } from '../../domain/access/record-access.ts';
import type { EntityDefinition } from '../../domain/entity/definition/entity-definition.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { Refusal } from '../../domain/errors.ts';
import { printable } from '../../domain/printable.ts';
import type { WhereItem } from './where-item.ts';

type Filter = readonly WhereItem[];

const item = (type: string, attribute: string, value?: unknown): WhereItem => ({
  type,
  attribute,
  value,
  clock: undefined,
});

/** Filters on the user's subscriptions; user-conditions.ts compiles these types. */
const followed = [item('isFollowed', 'id')];
const starred = [item('isStarred', 'id')];

/** Returns the filter for a user type to which lists can be restricted: `internal` means human users. */
export function typeFilter({ definition }: EntityModel, type: unknown): Filter {
  const name = definition.typeFilters?.find((one) => one === type);
  const found = name === undefined ? undefined : ownFilter(definition, name);
  if (found !== undefined) return found;
  throw unknownFilter(`Unknown user type '${printable(String(type))}'.`);
}

/** Throws if the entity type has no primary filter of this name. */
export function primaryFilter({ name, definition }: EntityModel, filter: string): Filter {
  if (filter === 'all') return [];
  if (definition.hasStream === true && filter === 'followed') return followed;
  if (definition.hasStream === true && filter === 'starred') return starred;
  const found = ownFilter(definition, filter);
  if (found !== undefined) return found;
  throw unknownFilter(`No primary filter '${printable(filter)}' for '${name}'.`);
}

/** Returns the filter of this name that the entity type defines, or undefined. */
function ownFilter({ primaryFilters = {} }: EntityDefinition, name: string): Filter | undefined {
  const conditions = Object.hasOwn(primaryFilters, name) ? primaryFilters[name] : undefined;
  return conditions?.map(({ type, attribute, value }) => item(type, attribute, value));
}

/** Returns the names that `primaryFilter` accepts. */
export function primaryFilterNames({ definition }: EntityModel): readonly string[] {
  return ['all', ...Object.keys(definition.primaryFilters ?? {})];
}

/** Returns the names that `boolFilter` accepts. */
export function boolFilterNames(model: EntityModel): readonly string[] {
  return [...boolFilters(model, { id: '', teamIds: [] }).keys()];
}

/** Throws if the entity type has no bool filter of this name. */
export function boolFilter(
  { model, actor }: { readonly model: EntityModel; readonly actor: Actor },
  filter: string,
): Filter {
  const found = boolFilters(model, actor).get(filter);
  if (found !== undefined) return found;
  throw unknownFilter(`No bool filter '${printable(filter)}' for '${model.name}'.`);
}

function boolFilters(
  model: EntityModel,
  { id, teamIds }: Pick<Actor, 'id' | 'teamIds'>,
): ReadonlyMap<string, Filter> {
  const { owner, teams } = ownerAttributes(model);
  const ofMyTeams = item('arrayAnyOf', 'teamsIds', [...teamIds]);
  const filters = new Map<string, Filter>();
  const ownsMany = model.attribute.get(owner)?.kind === 'strings';
  filters.set('onlyMy', [ownsMany ? item('arrayAnyOf', owner, [id]) : item('equals', owner, id)]);
  if (teams === 'teamsIds') filters.set('shared', [ofMyTeams]);
  if (model.definition.hasStream === true) filters.set('followed', followed);
  const ofActor = new Map([
    ['onlyMe', [item('equals', 'id', id)]],
    ['onlyMyTeam', [ofMyTeams]],
  ]);
  for (const name of model.definition.boolFilters ?? []) {
    filters.set(name, ofActor.get(name) ?? primaryFilter(model, name));
  }
  return filters;
}

function unknownFilter(message: string): Refusal {
  return new Refusal('invalid', 'filter.unknown', message);
}
