import type { EntityDefinition } from '../definition/entity-definition.ts';
import { internalRecords } from './common-settings.ts';

/**
 * What one user set for one record: whether they follow it, whether it is starred, how they react to a post. It is a
 * record of its own, so that following changes neither the version of the followed record nor fires its webhooks.
 */
export const streamSubscriptionDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'StreamSubscription',
  fields: {
    entityType: { type: 'varchar' },
    entityId: { type: 'varchar', isIndexed: true },
    user: { type: 'link', entityType: 'User' },
    // Null if the user never said: creators and assigned users then follow, others do not.
    isFollowed: { type: 'bool' },
    isStarred: { type: 'bool' },
    // Of a post: each type of reaction at most once.
    reactions: { type: 'array' },
  },
};
