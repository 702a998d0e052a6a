import type { Actor } from '../../domain/access/actor.ts';
import { ownerAttributes } from '../../domain/access/record-access.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { Refusal } from '../../domain/errors.ts';
import { printable } from '../../domain/printable.ts';
import type { WhereItem } from './where-item.ts';

type Filter = readonly WhereItem[];

const item = (type: string, attribute: string, value?: unknown): WhereItem => ({
  type,
  attribute,
  value,
  isDateTime: false,
  timeZone: undefined,
});

/** On the user's subscriptions; mark-conditions.ts compiles these types. */
const followed = [item('isFollowed', 'id')];
const starred = [item('isStarred', 'id')];

const endedLeads = ['Converted', 'Recycled', 'Dead'];
const endedCases = ['Closed', 'Rejected', 'Duplicate'];
const endedOpportunities = ['Closed Won', 'Closed Lost'];

/** By entity type, as docs/reference/search.md#named-filters lists them. */
const primaryFilters: Readonly<Record<string, Readonly<Record<string, Filter>>>> = {
  Account: {
    customers: [item('equals', 'type', 'Customer')],
    resellers: [item('equals', 'type', 'Reseller')],
    partners: [item('equals', 'type', 'Partner')],
    recentlyCreated: [item('lastSevenDays', 'createdAt')],
  },
  Contact: {
    portalUsers: [item('isLinked', 'portalUser')],
    notPortalUsers: [item('isNotLinked', 'portalUser')],
    accountActive: [item('isLinked', 'account')],
  },
  Lead: {
    actual: [item('notIn', 'status', endedLeads)],
    active: [item('in', 'status', ['Assigned', 'In Process'])],
    converted: [item('equals', 'status', 'Converted')],
  },
  Case: {
    open: [item('notIn', 'status', endedCases)],
    closed: [item('equals', 'status', 'Closed')],
  },
  Opportunity: {
    open: [item('notIn', 'stage', endedOpportunities)],
    won: [item('equals', 'stage', 'Closed Won')],
    lost: [item('equals', 'stage', 'Closed Lost')],
  },
  Task: {
    actual: [item('notIn', 'status', ['Completed', 'Canceled', 'Deferred'])],
    completed: [item('equals', 'status', 'Completed')],
  },
  Meeting: {
    planned: [item('equals', 'status', 'Planned')],
    held: [item('equals', 'status', 'Held')],
  },
  Call: {
    planned: [item('equals', 'status', 'Planned')],
    held: [item('equals', 'status', 'Held')],
  },
  User: {
    active: [item('isTrue', 'isActive'), item('in', 'type', ['regular', 'admin'])],
    activeApi: [item('isTrue', 'isActive'), item('equals', 'type', 'api')],
    activePortal: [item('none', 'type')],
    portal: [item('none', 'type')],
    api: [item('equals', 'type', 'api')],
    internal: [item('in', 'type', ['regular', 'admin'])],
  },
};

/** The names that `userTypeFilter` accepts. */
export const userTypeNames: readonly string[] = ['internal', 'portal', 'api'];

/** Users of a type: `internal` are the people. */
export function userTypeFilter(type: unknown): Filter {
  const name = userTypeNames.find((one) => one === type);
  const found = name === undefined ? undefined : primaryFilters['User']?.[name];
  if (found !== undefined) return found;
  throw new Refusal('invalid', 'filter.unknown', `No user type '${printable(String(type))}'.`);
}

/** Refuses a name that the entity type does not have. */
export function primaryFilter({ name, definition }: EntityModel, filter: string): Filter {
  if (filter === 'all') return [];
  if (definition.hasStream === true && filter === 'followed') return followed;
  if (definition.hasStream === true && filter === 'starred') return starred;
  const own = primaryFilters[name];
  const found = own !== undefined && Object.hasOwn(own, filter) ? own[filter] : undefined;
  if (found !== undefined) return found;
  throw new Refusal(
    'invalid',
    'filter.unknown',
    `No primary filter '${printable(filter)}' for '${name}'.`,
  );
}

/** The names that `primaryFilter` accepts. */
export function primaryFilterNames({ name }: Pick<EntityModel, 'name'>): readonly string[] {
  return ['all', ...Object.keys(primaryFilters[name] ?? {})];
}

/** The names that `boolFilter` accepts. */
export function boolFilterNames(model: EntityModel): readonly string[] {
  return [...boolFilters(model, { id: '', teamIds: [] }).keys()];
}

/** Refuses a name that the entity type does not have. */
export function boolFilter(
  { model, actor }: { readonly model: EntityModel; readonly actor: Actor },
  filter: string,
): Filter {
  const found = boolFilters(model, actor).get(filter);
  if (found !== undefined) return found;
  throw new Refusal(
    'invalid',
    'filter.unknown',
    `No bool filter '${printable(filter)}' for '${model.name}'.`,
  );
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
  if (model.name === 'Case') filters.set('open', [item('notIn', 'status', endedCases)]);
  if (model.name === 'User') {
    filters.set('onlyMe', [item('equals', 'id', id)]);
    filters.set('onlyMyTeam', [ofMyTeams]);
  }
  return filters;
}
