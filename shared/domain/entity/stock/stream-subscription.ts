import type { EntityDefinition } from '../entity-definition.ts';

/**
 * What one user set for one record: whether they follow it, whether it is starred, how they react to a post. A record of its own, so that
 * following leaves the followed one alone: neither its version nor its webhooks know of it.
 */
export const streamSubscriptionDefinition: EntityDefinition = {
  name: 'StreamSubscription',
  log: 'records',
  isObject: false,
  isInternal: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    entityType: { type: 'varchar' },
    entityId: { type: 'varchar', isIndexed: true },
    user: { type: 'link', entityType: 'User' },
    // Without a value the user never said: creators and assigned users follow then, others do not.
    isFollowed: { type: 'bool' },
    isStarred: { type: 'bool' },
    // Of a post: each type of reaction once.
    reactions: { type: 'array' },
  },
};
