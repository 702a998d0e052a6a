import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { isActiveUser } from '../../../shared/domain/directory/is-active-user.ts';
import { preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { isObject } from '../../../shared/domain/value/attribute-values.ts';

/** A view of a list that its owner shares with a team. */
interface SharedView {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
  readonly ownerId: string;
  readonly ownerName: string;
}

const MAX_NAME_LENGTH = 100;
const MAX_SHARED_VIEWS = 200;

/** Returns the name of the preference with the user's views of an entity type. */
function viewsPreference(entityType: string): string {
  return `annals-views-${entityType}`;
}

/**
 * Returns the views of an entity type that other users share with one of the actor's teams, sorted by name, at most
 * `MAX_SHARED_VIEWS`. A view is shared while its owner is active and belongs to the team, or is an administrator.
 */
export function sharedViewsFor(
  actor: Actor,
  entityType: string,
  directory: Pick<Directory, 'actor' | 'record' | 'records'>,
): readonly SharedView[] {
  const found: SharedView[] = [];
  for (const stored of directory.records(preferencesType)) {
    const views = stored.values[viewsPreference(entityType)];
    if (stored.id === actor.id || !Array.isArray(views)) continue;
    const user = directory.record('User', stored.id);
    if (user === undefined || !isActiveUser(user)) continue;
    const owner = directory.actor(user);
    const common = actor.teamIds.filter(
      (team) => owner.type === 'admin' || owner.teamIds.includes(team),
    );
    if (common.length > 0) found.push(...viewsOf(user, views, common));
  }
  return found.toSorted(byName).slice(0, MAX_SHARED_VIEWS);
}

/** Returns the views that are shared with one of the teams. Ignores malformed ones: clients store them as they like. */
function viewsOf(
  user: RecordState,
  views: readonly unknown[],
  teams: readonly string[],
): readonly SharedView[] {
  return views.flatMap((view) => {
    if (!isObject(view)) return [];
    const { name, search, teamsIds } = view;
    const isShared = Array.isArray(teamsIds) && teams.some((team) => teamsIds.includes(team));
    if (!isShared || typeof name !== 'string' || !isObject(search)) return [];
    const ownerName = String(user.values['name'] ?? user.values['userName'] ?? '');
    return [{ name: name.slice(0, MAX_NAME_LENGTH), search, ownerId: user.id, ownerName }];
  });
}

function byName(one: SharedView, other: SharedView): number {
  return one.name.localeCompare(other.name) || one.ownerId.localeCompare(other.ownerId);
}
