import type { Actor } from './actor.ts';

/** Whom a permission of the level `team` reaches: who has a team in common with the actor, and the actor themselves. */
export function isTeammate(actor: Actor, { id, teamIds }: Pick<Actor, 'id' | 'teamIds'>): boolean {
  return id === actor.id || teamIds.some((team) => actor.teamIds.includes(team));
}
