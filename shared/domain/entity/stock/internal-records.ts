import type { EntityDefinition } from '../definition/entity-definition.ts';
import { internalRecords } from './common-settings.ts';

/** An action on many records: its parameters, the process that runs it, and its result. */
export const massActionDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'MassAction',
  fields: {
    entityType: { type: 'varchar', readOnly: true },
    action: { type: 'varchar', readOnly: true },
    // JSON text, which is safe for any characters sent by a client.
    data: { type: 'text', readOnly: true },
    targetIds: { type: 'array', readOnly: true },
    // True if the client sent ids instead of a search.
    isByIds: { type: 'bool', readOnly: true },
    status: {
      type: 'enum',
      options: ['Running', 'Success', 'Failed', 'Stopped', 'Cancelled'],
      readOnly: true,
    },
    // The error code of the failure, or of the reason for stopping.
    reason: { type: 'varchar', readOnly: true },
    // The user who cancelled it.
    cancelledById: { type: 'varchar', readOnly: true },
    processedCount: { type: 'int', readOnly: true },
    skippedIds: { type: 'array', readOnly: true },
    // JSON text with the number of skipped records per reason, and the first ids of each.
    skipped: { type: 'text', readOnly: true },
    // JSON text with the counts of an import.
    result: { type: 'text', readOnly: true },
    // The process that runs the action, and the end of that process's lease. Both are empty once the action has ended.
    runner: { type: 'varchar', readOnly: true },
    leasedUntil: { type: 'datetime', readOnly: true, isIndexed: true },
  },
};

/**
 * A form that waits for the confirmation of its e-mail address. The id is a keyed hash of the id in the link, so nothing
 * stored reveals the link.
 */
export const leadOptInDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'LeadOptIn',
  fields: {
    captureId: { type: 'varchar', readOnly: true },
    // The values from the form as sealed JSON text, and the end of their lifetime. Both are empty once the address is
    // confirmed or the lifetime has ended.
    content: { type: 'text', readOnly: true },
    expiresAt: { type: 'datetime', readOnly: true, isIndexed: true },
    confirmedAt: { type: 'datetime', readOnly: true },
  },
};

/** The currencies and their rates, all in a single record. */
export const currencyRatesDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'CurrencyRates',
  log: 'directory',
  fields: {
    // Keyed by currency code: the value of one unit in the default currency.
    rates: { type: 'jsonObject', readOnly: true },
  },
};

/** The pinned posts of a record's stream. All of them are in one record, so that the limit is enforced exactly. */
export const streamPinsDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'StreamPins',
  fields: {
    entityType: { type: 'varchar' },
    entityId: { type: 'varchar' },
    noteIds: { type: 'array' },
  },
};

/**
 * One user's state for one record: whether they follow it, whether it is starred, and their reactions to a post. It is
 * a separate record, so that following a record neither changes the record's version nor fires its webhooks.
 */
export const streamSubscriptionDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'StreamSubscription',
  fields: {
    entityType: { type: 'varchar' },
    entityId: { type: 'varchar', isIndexed: true },
    user: { type: 'link', entityType: 'User' },
    // Null if the user never chose. By default, creators and assigned users follow the record, and other users do not.
    isFollowed: { type: 'bool' },
    isStarred: { type: 'bool' },
    // Reactions to a post, each type at most once.
    reactions: { type: 'array' },
  },
};

/**
 * The directory records that define entity types; the id is the type's name. Records of shipped types contain only the
 * changes.
 */
export const entityDefinitionRecord: EntityDefinition = {
  name: 'EntityDefinition',
  log: 'directory',
  isObject: false,
  orderBy: 'createdAt',
  order: 'asc',
  fields: {
    template: { type: 'varchar', readOnly: true },
    label: { type: 'varchar', readOnly: true },
    labelPlural: { type: 'varchar', readOnly: true },
    stream: { type: 'bool', readOnly: true },
    optimisticConcurrencyControl: { type: 'bool', readOnly: true },
    sortBy: { type: 'varchar', readOnly: true },
    sortDirection: { type: 'varchar', readOnly: true },
    textFilterFields: { type: 'array', readOnly: true },
    // A field without a type overrides a shipped field's settings.
    fields: { type: 'jsonObject', readOnly: true },
    // The columns of removed fields still exist, with their values.
    removedFields: { type: 'jsonObject', readOnly: true },
    links: { type: 'jsonObject', readOnly: true },
    // The layouts that replace generated layouts, keyed by name.
    layouts: { type: 'jsonObject', readOnly: true },
  },
};

/** Types that clients link to teams and users. Annals stores the names of their records, but does not use them. */
export const layoutSetDefinition = namedOnly('LayoutSet');
export const workingTimeCalendarDefinition = namedOnly('WorkingTimeCalendar');

function namedOnly(name: string): EntityDefinition {
  return {
    name,
    log: 'directory',
    isObject: false,
    orderBy: 'name',
    order: 'asc',
    fields: { name: { type: 'varchar', required: true, maxLength: 100 } },
  };
}
