import { type Actor, isTeammate } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { isActiveUser } from '../../../shared/domain/directory/is-active-user.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/value/attribute-values.ts';

/** `@` and a user name. After a letter or digit, as in an e-mail address, `@` mentions no user. */
const mention = /(?<![\p{L}\p{N}_.-])@([a-z0-9@._-]{1,50})/giu;
const MAX_MENTIONS = 50;

/**
 * Returns the `data` of a post with the active people whom it mentions, by `@userName`; null if it mentions no user. Names
 * of users whom the author may not mention (`mentionPermission`) remain plain text.
 */
export function findMentions(
  post: AttributeValue | undefined,
  author: Actor,
  directory: Directory,
): AttributeValue {
  const mentions: Record<string, AttributeValues> = {};
  for (const { 1: written = '' } of typeof post === 'string' ? post.matchAll(mention) : []) {
    if (Object.keys(mentions).length === MAX_MENTIONS) break;
    // A sentence may end after a user name.
    for (const name of new Set([written, written.replace(/[.@_-]+$/, '')])) {
      const user = directory.userByName(name.toLowerCase());
      if (user === undefined || !mayMention(author, user, directory)) continue;
      const { name: fullName = null, userName = name } = user.values;
      mentions[`@${name}`] = { id: user.id, name: fullName, userName, _scope: 'User' };
      break;
    }
  }
  return Object.keys(mentions).length === 0 ? null : { mentions };
}

function mayMention(author: Actor, user: RecordState, { actor }: Directory): boolean {
  const { type } = user.values;
  if (!isActiveUser(user) || (type !== 'regular' && type !== 'admin')) return false;
  const level = author.permissions.mention;
  if (level === 'all' || level === 'yes' || user.id === author.id) return true;
  return level === 'team' && isTeammate(author, actor(user));
}
