import { notifications } from '@mantine/notifications';
import type { Entity } from '../../../api/metadata.ts';
import { usePreference } from '../../../api/preferences.ts';
import { useText } from '../../../language/language.tsx';

/** Widths of columns in pixels by field name. */
export type Widths = Readonly<Record<string, number>>;

/** How a user last arranged the list of an entity type. */
export interface ListPreferences {
  /** Undefined means the columns of the layout. */
  readonly columns?: readonly string[] | undefined;
  readonly widths?: Widths;
  /** Name of the sort field, prefixed with `-` for descending order. */
  readonly sort?: string;
}

/** Returns the user's arrangement of a list, and a function that changes parts of it on all devices of the user. */
export function useListPreferences(
  entity: Entity,
): readonly [ListPreferences, (change: ListPreferences) => void] {
  const t = useText();
  const [stored, store] = usePreference(`annals-list-${entity.name}`, () =>
    notifications.show({
      id: 'list-not-stored',
      color: 'yellow',
      message: t('records.notStored'),
    }),
  );
  const known = readListPreferences(entity, stored);
  return [known, (change) => store({ ...known, ...change })];
}

/** Leaves out fields that do not exist, or that the user may not read any longer. */
export function readListPreferences(
  { fields }: Pick<Entity, 'fields'>,
  stored: unknown,
): ListPreferences {
  const { columns, widths, sort } = Object(stored);
  const isField = (name: unknown): name is string =>
    typeof name === 'string' && Object.hasOwn(fields, name);
  const known: readonly string[] = Array.isArray(columns)
    ? [...new Set(columns.filter(isField))]
    : [];
  return {
    ...(known.length > 0 ? { columns: known } : {}),
    ...(typeof sort === 'string' && isField(sort.replace(/^-/, '')) ? { sort } : {}),
    widths: Object.fromEntries(
      Object.entries(Object(widths)).flatMap(([name, width]) =>
        isField(name) && typeof width === 'number' ? [[name, toWidth(width)]] : [],
      ),
    ),
  };
}

const narrowest = 48;
const widest = 800;

export function toWidth(pixels: number): number {
  return Math.round(Math.min(widest, Math.max(narrowest, pixels)));
}
