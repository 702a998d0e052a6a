import { useQueries } from '@tanstack/react-query';
import { useMetadata } from '../../api/metadata.ts';
import { namesQuery } from '../../api/records.ts';

interface NamedRecord {
  readonly entityType: string;
  readonly id: string;
}

/** A longer list only adds groups, so that names that are already loaded are not requested again. */
const groupSize = 50;

/** Types that are not in the navigation, but have names. */
const people: ReadonlySet<string> = new Set(['User', 'Team', 'Role']);

/** Returns a function that returns the current name of a record; undefined for deleted records and while it loads. */
export function useRecordNames(
  records: readonly NamedRecord[],
): (record: NamedRecord) => string | undefined {
  const metadata = useMetadata();
  const named = records.filter(
    ({ entityType }) => people.has(entityType) || metadata.get(entityType)?.scope.tab === true,
  );
  const groups = Array.from({ length: Math.ceil(named.length / groupSize) }, (_, index) =>
    named.slice(index * groupSize, (index + 1) * groupSize),
  );
  const requests = groups.flatMap((group) =>
    [...Map.groupBy(group, ({ entityType }) => entityType)].map(([entityType, ofType]) => ({
      entityType,
      ids: [...new Set(ofType.map(({ id }) => id))],
    })),
  );
  const loaded = useQueries({
    queries: requests.map(({ entityType, ids }) => namesQuery(entityType, ids)),
  });
  const names = new Map(
    requests.flatMap(({ entityType }, index) =>
      [...(loaded[index]?.data ?? [])].map(([id, name]) => [`${entityType} ${id}`, name] as const),
    ),
  );
  return ({ entityType, id }) => {
    const name = names.get(`${entityType} ${id}`);
    return typeof name === 'string' && name !== '' ? name : undefined;
  };
}
