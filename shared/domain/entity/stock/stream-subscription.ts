import type { EntityDefinition } from '../definition/entity-definition.ts';
import { internalRecords } from './common-settings.ts';

/**
 * One user's state for one record: whether they follow it, whether it is starred, and their reactions to a post. It is a
 * separate record, so that following neither changes the version of the followed record nor fires its webhooks.
 */
export const streamSubscriptionDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'StreamSubscription',
  fields: {
    entityType: { type: 'varchar' },
    entityId: { type: 'varchar', isIndexed: true },
    user: { type: 'link', entityType: 'User' },
    // Null if the user never chose: creators and assigned users then follow, others do not.
    isFollowed: { type: 'bool' },
    isStarred: { type: 'bool' },
    // Reactions to a post, each type at most once.
    reactions: { type: 'array' },
  },
};
