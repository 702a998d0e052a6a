import { toObject } from '../value/attribute-values.ts';

/** Returns the ids of the users whom a post mentions, according to its `data`. */
export function mentionedUserIds(data: unknown): readonly string[] {
  return Object.values(toObject(toObject(data)['mentions'])).flatMap((user) => {
    const { id } = toObject(user);
    return typeof id === 'string' ? [id] : [];
  });
}
