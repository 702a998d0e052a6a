import type { Actor } from './actor.ts';

/** True if the permission level `team` covers the user: the user is the actor or shares a team with the actor. */
export function isTeammate(actor: Actor, { id, teamIds }: Pick<Actor, 'id' | 'teamIds'>): boolean {
  return id === actor.id || teamIds.some((team) => actor.teamIds.includes(team));
}
