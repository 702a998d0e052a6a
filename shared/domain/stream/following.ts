import { type Actor, mayReadField } from '../access/actor.ts';
import { attendeesOf } from '../entity/model/attendees-of.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import type { AttributeValue } from '../value/attribute-values.ts';

/** The data that determine who follows a record, as the database returns them. */
export interface FollowingFacts {
  readonly createdById: string | null;
  readonly assignedUserId: string | null;
  /** The users who take part in a meeting or call. */
  readonly attendeeIds: readonly string[];
  /** The users for whom following was set explicitly. */
  readonly subscriptions: readonly {
    readonly userId: string;
    readonly isFollowed: boolean | null;
    readonly isStarred: boolean | null;
  }[];
}

const MAX_SHOWN = 6;

/** Creators, assigned users and attendees follow unless they unfollowed; others follow if they were set to. */
export function followerIds(facts: FollowingFacts): readonly string[] {
  const { createdById, assignedUserId, attendeeIds, subscriptions } = facts;
  const said = new Map(subscriptions.map(({ userId, isFollowed }) => [userId, isFollowed]));
  const owners = [createdById, assignedUserId].filter((id) => id !== null);
  const byThemselves = [...owners, ...attendeeIds];
  const all = new Set([...byThemselves, ...said.keys()]);
  return [...all].filter((id) => said.get(id) ?? byThemselves.includes(id));
}

/** Removes what the actor may not read: the followers must not reveal a closed creator, assigned user or attendee. */
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

/** The attributes of a single read that tell one user who follows the record. */
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

/** For a record whose stream the user does not see. */
export const noFollowing: Readonly<Record<string, AttributeValue>> = {
  isFollowed: false,
  isStarred: false,
  followersIds: [],
  followersNames: {},
};
