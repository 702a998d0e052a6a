import type { Actor } from '../../../shared/domain/access/actor.ts';
import {
  firstUnread,
  isRead,
  type NotificationMarks,
  type NumberRange,
  notificationMarksType,
  readMarks,
} from '../../../shared/domain/notifications/notification-marks.ts';
import { momentOf, numberAt } from '../../../shared/domain/stream/stream-number.ts';
import { mentionedUserIds } from '../../../shared/domain/stream/user-mentions.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import type { QueryContext } from '../context.ts';
import type { PageOf } from '../rows/page.ts';
import { markPosts } from '../stream/mark-posts.ts';
import { mergeSources, takePage } from '../stream/merge-sources.ts';
import { openOwnSources } from '../stream/read-own-stream.ts';
import type { StreamItem, StreamRequest } from '../stream/stream-item.ts';
import { createMentioningPosts } from './mentioning-posts.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Older items are in streams only. Limits the number of records that a page or a count considers. */
const KEPT_MS = 60 * DAY_MS;
export const MAX_COUNTED = 100;
/** Limits the work for users whose own changes are the newest ones. */
const MAX_LOOKED_AT = 1_000;

type Part = Pick<StreamRequest, 'from' | 'below' | 'offset' | 'maxSize'>;

/** A page, of all notifications or of the unread ones among the newest 1,000 changes. */
interface Request extends Part {
  readonly onlyUnread: boolean;
}

/** A notification, in the form that EspoCRM's clients read (docs/reference/notifications.md). */
export interface Notification {
  readonly id: string;
  readonly number: number;
  readonly type: 'MentionInPost' | 'Note';
  readonly read: boolean;
  readonly data: { readonly noteId: string };
  readonly noteData: StreamItem;
  readonly message: null;
  readonly createdAt: string;
  readonly createdById: string | null;
  readonly createdByName: string | null;
  readonly userId: string;
  readonly relatedType: 'Note';
  readonly relatedId: string;
  readonly relatedName: null;
  readonly relatedParentType: string | null;
  readonly relatedParentId: string | null;
  readonly relatedParentName: string | null;
  /** True if the change assigned the record to the user. */
  readonly isFeatured: boolean;
  readonly actionId: null;
  readonly groupType: null;
  readonly groupedCount: null;
  readonly groupedUnreadCount: null;
}

interface NotificationPage extends PageOf<Notification> {
  /** The numbers that a user has read with this page; undefined if it marks none as read. */
  readonly newlyRead: NumberRange | undefined;
}

/** Reads a page of a user's notifications, newest first. They are derived from events (docs/adr/0052). */
export async function readNotifications(
  search: QueryContext,
  actor: Actor,
  { onlyUnread, ...request }: Request,
): Promise<NotificationPage> {
  const context = { ...search, pool: search.searchPool.of(actor) };
  const marks = marksOf(context, actor);
  const unreadFrom = Math.max(request.from, firstUnread(marks));
  const part = onlyUnread ? { ...request, from: unreadFrom } : request;
  const { items, mentions, isWanted } = await openItems(context, actor, { part, marks });
  const isListed = (item: StreamItem) =>
    isWanted(item) && !(onlyUnread && isRead(marks, item.number));
  const looked = onlyUnread ? firstOf(items, MAX_LOOKED_AT) : items;
  const { total, list } = await takePage(looked, part, isListed);
  const marked = await markPosts(context, actor, list);
  const found = list.map((item, index) =>
    toNotification(marked[index] ?? item, {
      actor,
      isMention: mentions.has(item),
      read: isRead(marks, item.number),
    }),
  );
  const isWhole = total === -2 && part.from === 0;
  return {
    total,
    list: found,
    newlyRead: onlyUnread ? undefined : rangeOf(found, { part, isWhole }),
  };
}

async function* firstOf<Item>(items: AsyncIterable<Item>, count: number): AsyncGenerator<Item> {
  let left = count;
  for await (const item of items) {
    yield item;
    left -= 1;
    if (left === 0) return;
  }
}

/** Counts the unread notifications of a user, up to 100, among the newest 1,000 changes. */
export async function countUnread(search: QueryContext, actor: Actor): Promise<number> {
  const context = { ...search, pool: search.searchPool.of(actor) };
  const marks = marksOf(context, actor);
  const part = { from: firstUnread(marks), below: Number.POSITIVE_INFINITY };
  const page = { ...part, offset: 0, maxSize: MAX_COUNTED };
  const { items, isWanted } = await openItems(context, actor, { part: page, marks });
  let unread = 0;
  for await (const item of firstOf(items, MAX_LOOKED_AT)) {
    if (isWanted(item) && !isRead(marks, item.number)) unread += 1;
    if (unread === MAX_COUNTED) break;
  }
  return unread;
}

function marksOf({ directory }: QueryContext, actor: Actor): NotificationMarks {
  return readMarks(directory.record(notificationMarksType, actor.id));
}

/** Opens the changes and posts on records that the actor follows, and the posts that mention the actor. */
async function openItems(
  context: QueryContext,
  actor: Actor,
  { part, marks }: { readonly part: Part; readonly marks: NotificationMarks },
) {
  const request: StreamRequest = {
    ...part,
    from: Math.max(part.from, numberAt(Date.now() - KEPT_MS)),
    filter: 'all',
    withTotal: false,
    skipOwn: true,
    sinceFollowed: true,
  };
  const mentioning = createMentioningPosts(context, actor, request);
  const mentions = new Set<StreamItem>();
  const removedIds = new Set(marks.removedIds);
  const sources = [
    ...(await openOwnSources(context, actor, request)),
    {
      bound: mentioning.bound,
      async next() {
        const item = await mentioning.next();
        if (item !== undefined) mentions.add(item);
        return item;
      },
    },
  ];
  return {
    items: mergeSources(sources),
    /** The items that are mentions. */
    mentions,
    isWanted(item: StreamItem): boolean {
      if (item.createdById === actor.id || removedIds.has(item.id)) return false;
      // A post on a followed record that mentions the actor is an item of both sources.
      return mentions.has(item) || !mentionedUserIds(item.data).includes(actor.id);
    },
  };
}

function toNotification(
  item: StreamItem,
  facts: { readonly actor: Actor; readonly isMention: boolean; readonly read: boolean },
): Notification {
  const { id, number, createdAt, createdById, createdByName } = item;
  const { actor, isMention, read } = facts;
  const isAssignment = item.type === 'Assign' || item.type === 'Create';
  return {
    id,
    number,
    type: isMention ? 'MentionInPost' : 'Note',
    read,
    data: { noteId: id },
    noteData: item,
    message: null,
    createdAt: isMention ? formatDateTime(momentOf(number)) : createdAt,
    createdById,
    createdByName,
    userId: actor.id,
    relatedType: 'Note',
    relatedId: id,
    relatedName: null,
    relatedParentType: item.parentType,
    relatedParentId: item.parentId,
    relatedParentName: item.parentName,
    isFeatured: isAssignment && item.data['assignedUserId'] === actor.id,
    actionId: null,
    groupType: null,
    groupedCount: null,
    groupedUnreadCount: null,
  };
}

/**
 * Returns the numbers that the page covers, with those between its items, so that the ranges of consecutive pages touch.
 * `isWhole` is true if no older items follow.
 */
function rangeOf(
  list: readonly Notification[],
  { part, isWhole }: { readonly part: Part; readonly isWhole: boolean },
): NumberRange | undefined {
  const [newest, oldest] = [list[0], list.at(-1)];
  if (newest === undefined || oldest === undefined || list.every(({ read }) => read)) {
    return undefined;
  }
  const continues = part.offset === 0 && part.below !== Number.POSITIVE_INFINITY;
  return [isWhole ? 0 : oldest.number, continues ? part.below - 1 : newest.number];
}
