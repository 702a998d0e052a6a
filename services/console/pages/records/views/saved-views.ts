import { useLocalStorage } from '@mantine/hooks';
import { useUser } from '../../../api/session.ts';
import type { ListState } from '../list-state.ts';

/** The search, filters, sort order and columns of a list under a name. */
interface SavedView {
  readonly name: string;
  readonly search: SavedSearch;
}

type SavedSearch = Partial<Pick<ListState, 'columns' | 'filter' | 'q' | 'sort' | 'where'>>;

type ViewsByEntity = Readonly<Record<string, readonly SavedView[]>>;

/** Stores the views of an entity type in this browser, because the API has no user preferences. */
export function useSavedViews(entity: string) {
  const { user } = useUser();
  const [all, setAll] = useLocalStorage<ViewsByEntity>({
    key: `annals-views-${user.id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
    deserialize: readViews,
  });
  const views = all[entity] ?? [];
  const put = (changed: readonly SavedView[]): void => setAll({ ...all, [entity]: changed });
  const others = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    /** Replaces a view of the same name. */
    save: (view: SavedView) => put([...others(view.name), view].toSorted(byName)),
    remove: (name: string) => put(others(name)),
  };
}

export function savedPartOf({ q, sort, columns, filter, where }: Partial<ListState>): SavedSearch {
  const parts = { q, sort, columns, filter, where };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

export function isSameSearch(one: SavedSearch, other: SavedSearch): boolean {
  return JSON.stringify(savedPartOf(one)) === JSON.stringify(savedPartOf(other));
}

/** Parses stored views, and ignores malformed content of local storage. */
function readViews(text: string | undefined): ViewsByEntity {
  try {
    const read = Object(JSON.parse(text ?? '{}'));
    return Object.fromEntries(
      Object.entries(read).map(([entity, views]) => [
        entity,
        Array.isArray(views) ? views.filter(isView) : [],
      ]),
    );
  } catch {
    return {};
  }
}

function isView(value: unknown): value is SavedView {
  const { name, search } = Object(value);
  return typeof name === 'string' && typeof search === 'object' && search !== null;
}

function byName(one: SavedView, other: SavedView): number {
  return one.name.localeCompare(other.name);
}
