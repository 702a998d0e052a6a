import { type Actor, mayReadField } from '../access/actor.ts';
import { attendeesOf } from '../entity/model/attendees-of.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import type { AttributeValue } from '../value/attribute-values.ts';

/** The data that determines who follows a record, as returned by the database. */
export interface FollowingFacts {
  readonly createdById: string | null;
  readonly assignedUserId: string | null;
  /** The users who attend a meeting or call. */
  readonly attendeeIds: readonly string[];
  /** Users with an explicit follow or star setting. */
  readonly subscriptions: readonly {
    readonly userId: string;
    readonly isFollowed: boolean | null;
    readonly isStarred: boolean | null;
  }[];
}

const MAX_SHOWN = 6;

/**
 * Returns the followers: creators, assigned users and attendees unless they have unfollowed, and users who follow
 * explicitly.
 */
export function followerIds(facts: FollowingFacts): readonly string[] {
  const { createdById, assignedUserId, attendeeIds, subscriptions } = facts;
  const explicit = new Map(subscriptions.map(({ userId, isFollowed }) => [userId, isFollowed]));
  const owners = [createdById, assignedUserId].filter((id) => id !== null);
  const byDefault = [...owners, ...attendeeIds];
  const all = new Set([...byDefault, ...explicit.keys()]);
  return [...all].filter((id) => explicit.get(id) ?? byDefault.includes(id));
}

/** Removes users in closed fields, because followers must not reveal a closed creator, assigned user or attendee. */
export function openFacts(
  facts: FollowingFacts,
  { actor, model }: { readonly actor: Actor; readonly model: EntityModel },
): FollowingFacts {
  const isOpen = (field: string, id: string | null) =>
    id === actor.id || mayReadField(actor, model, field);
  const open = (field: string, id: string | null) => (isOpen(field, id) ? id : null);
  const { field: attendees = '' } = attendeesOf(model);
  return {
    ...facts,
    createdById: open('createdBy', facts.createdById),
    assignedUserId: open('assignedUser', facts.assignedUserId),
    attendeeIds: facts.attendeeIds.filter((id) => isOpen(attendees, id)),
  };
}

/** Returns the attributes about following that a single read includes, as seen by one user. */
export function toFollowing(
  facts: FollowingFacts,
  reader: { readonly actor: Actor; readonly model: EntityModel },
  nameOf: (userId: string) => string | undefined,
): Readonly<Record<string, AttributeValue>> {
  const ids = followerIds(openFacts(facts, reader));
  const shown = ids.slice(0, MAX_SHOWN);
  const own = facts.subscriptions.find(({ userId }) => userId === reader.actor.id);
  return {
    isFollowed: ids.includes(reader.actor.id),
    isStarred: own?.isStarred === true,
    followersIds: shown,
    followersNames: Object.fromEntries(shown.map((id) => [id, nameOf(id) ?? null])),
  };
}

/** The attributes for records whose stream the user may not see. */
export const noFollowing: Readonly<Record<string, AttributeValue>> = {
  isFollowed: false,
  isStarred: false,
  followersIds: [],
  followersNames: {},
};
