import { notifications } from '@mantine/notifications';
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { usePreference } from '../../../api/preferences.ts';
import { useUser } from '../../../api/session.ts';
import { useText } from '../../../language/language.tsx';
import type { ListState } from '../list-state.ts';

/** The search, filters, sort order and columns of a list under a name. */
export interface SavedView {
  readonly name: string;
  readonly search: SavedSearch;
  /** The teams whose members see the view. */
  readonly teamsIds?: readonly string[];
}

/** A view of another user. */
interface SharedView extends SavedView {
  readonly ownerId: string;
  readonly ownerName: string;
}

type SavedSearch = Partial<Pick<ListState, 'columns' | 'filter' | 'q' | 'sort' | 'where'>>;

/** Returns the user's views of an entity type, and functions that change them on all devices of the user. */
export function useSavedViews(entity: string) {
  const t = useText();
  const { user } = useUser();
  const [stored, store] = usePreference(`annals-views-${entity}`, () =>
    notifications.show({ id: 'views-not-stored', color: 'yellow', message: t('views.notStored') }),
  );
  const views = stored === undefined ? readViewsOfBrowser(user.id, entity) : readViews(stored);
  const others = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    /** Replaces a view of the same name, which remains shared. */
    save(view: SavedView): void {
      const former = views.find(({ name }) => name === view.name);
      store([...others(view.name), { ...former, ...view }].toSorted(byName));
    },
    remove: (name: string) => store(others(name)),
    /** Shares a view with exactly these teams. */
    share: (view: SavedView, teamsIds: readonly string[]) =>
      store(views.map((one) => (one === view ? { ...view, teamsIds } : one))),
  };
}

/** Loads the views of other users that are shared with the user's teams. */
export function sharedViewsQuery(entityType: string) {
  return queryOptions({
    queryKey: ['shared views', entityType],
    queryFn: async ({ signal }): Promise<readonly SharedView[]> => {
      const params = { query: { entityType } };
      const { list } = await bodyOf(api.GET('/Preferences/action/sharedViews', { params, signal }));
      return list.filter((view): view is typeof view & SharedView => isView(view));
    },
    staleTime: 60_000,
  });
}

export function savedPartOf({ q, sort, columns, filter, where }: Partial<ListState>): SavedSearch {
  const parts = { q, sort, columns, filter, where };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

export function isSameSearch(one: SavedSearch, other: SavedSearch): boolean {
  return JSON.stringify(savedPartOf(one)) === JSON.stringify(savedPartOf(other));
}

/** Returns the views that version 0.2 stored in this browser. They are kept on the server with the next change. */
function readViewsOfBrowser(userId: string, entity: string): readonly SavedView[] {
  try {
    const all = Object(JSON.parse(localStorage.getItem(`annals-views-${userId}`) ?? '{}'));
    return readViews(all[entity]);
  } catch {
    return [];
  }
}

/** Ignores malformed views: other clients can change preferences, too. */
function readViews(stored: unknown): readonly SavedView[] {
  return Array.isArray(stored) ? stored.filter(isView) : [];
}

function isView(value: unknown): value is SavedView {
  const { name, search } = Object(value);
  return typeof name === 'string' && typeof search === 'object' && search !== null;
}

function byName(one: SavedView, other: SavedView): number {
  return one.name.localeCompare(other.name);
}
