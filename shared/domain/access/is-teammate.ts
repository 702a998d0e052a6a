import type { Actor } from './actor.ts';

/**
 * Whether the level `team` of a permission reaches a user: one who has a team in common with the actor, or the actor.
 */
export function isTeammate(actor: Actor, { id, teamIds }: Pick<Actor, 'id' | 'teamIds'>): boolean {
  return id === actor.id || teamIds.some((team) => actor.teamIds.includes(team));
}
