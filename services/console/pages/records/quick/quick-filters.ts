import type { Entity } from '../../../api/metadata.ts';
import type { Condition } from '../../../api/records.ts';
import type { MessageKey } from '../../../messages/en.ts';

/** The labels of the server's named filters. Filters without a label are not offered. */
const labels = {
  open: 'records.filterOpen',
  actual: 'records.filterOpen',
  planned: 'records.filterPlanned',
  active: 'records.filterActive',
  held: 'records.filterHeld',
  completed: 'records.filterCompleted',
  closed: 'records.filterClosed',
  converted: 'records.filterConverted',
  won: 'records.filterWon',
  lost: 'records.filterLost',
  customers: 'records.filterCustomers',
  partners: 'records.filterPartners',
  resellers: 'records.filterResellers',
  recentlyCreated: 'records.filterNew',
  published: 'records.filterPublished',
  mine: 'records.filterMine',
  followed: 'records.filterFollowed',
  starred: 'records.filterStarred',
} as const satisfies Readonly<Record<string, MessageKey>>;

export type QuickFilter = keyof typeof labels;

const personal: readonly QuickFilter[] = ['mine', 'followed', 'starred'];

/** Returns the quick filters of an entity type: its own, then those on the user's own records and subscriptions. */
export function quickFiltersOf({ filters, scope }: Entity): readonly QuickFilter[] {
  const own = filters.filter((name): name is QuickFilter => Object.hasOwn(labels, name));
  return [...own, ...(scope.stream ? personal : (['mine'] as const))];
}

/** Filters that mean something else than in other entity types: records that are in use. */
const inUse: Readonly<Record<string, QuickFilter>> = { EmailTemplate: 'actual', User: 'active' };

export function labelOfFilter(entity: string, filter: QuickFilter): MessageKey {
  return inUse[entity] === filter ? 'records.filterInUse' : labels[filter];
}

/** Parses the filters of an address; undefined if the entity type has none of them. */
export function readQuickFilters(entity: Entity, text: string | undefined) {
  const names = text?.split(',') ?? [];
  const known = quickFiltersOf(entity).filter((name) => names.includes(name));
  return known.length === 0 ? undefined : known.join(',');
}

/** Adds or removes a filter. A record cannot have two states, so filters of the entity type replace each other. */
export function withToggled(active: readonly string[], filter: QuickFilter): readonly string[] {
  if (active.includes(filter)) return active.filter((name) => name !== filter);
  const isPersonal = (name: string): boolean => personal.some((one) => one === name);
  return [...active.filter((name) => isPersonal(filter) || isPersonal(name)), filter];
}

export function toFilterConditions(active: readonly string[]): readonly Condition[] {
  return active.map((name) =>
    name === 'mine' ? { type: 'bool', value: ['onlyMy'] } : { type: 'primary', value: name },
  );
}
