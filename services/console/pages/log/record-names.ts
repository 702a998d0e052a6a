import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Metadata, useMetadata } from '../../api/metadata.ts';
import { namesQuery } from '../../api/records.ts';

export interface NamedRecord {
  readonly entityType: string;
  readonly id: string;
}

/** The names by type and id. Undefined for deleted records and for records without read access. */
type Names = ReadonlyMap<string, unknown>;

/** The largest number of records that a list returns. */
const maxRequested = 200;

/** Types that are not in the navigation, but have names. */
const people: ReadonlySet<string> = new Set(['User', 'Team', 'Role']);

/**
 * Returns a function that returns the name of a record; undefined for deleted records and while it loads. Each name is
 * requested once, however often the list of records changes.
 */
export function useRecordNames(
  records: readonly NamedRecord[],
): (record: NamedRecord) => string | undefined {
  const metadata = useMetadata();
  const queries = useQueryClient();
  const [names, setNames] = useState<Names>(new Map());
  const isLoading = useRef(false);
  // No dependencies: records that arrive during a request are requested after it.
  useEffect(() => {
    const missing = records.filter(
      (record) => hasName(record, metadata) && !names.has(keyOf(record)),
    );
    if (missing.length === 0 || isLoading.current) return;
    isLoading.current = true;
    void loadNames(queries, missing.slice(0, maxRequested)).then((loaded) => {
      isLoading.current = false;
      setNames((known) => new Map([...known, ...loaded]));
    });
  });
  return (record) => {
    const name = names.get(keyOf(record));
    return typeof name === 'string' && name !== '' ? name : undefined;
  };
}

const keyOf = ({ entityType, id }: NamedRecord): string => `${entityType} ${id}`;

function hasName({ entityType }: NamedRecord, metadata: Metadata): boolean {
  return people.has(entityType) || metadata.get(entityType)?.scope.tab === true;
}

/** Never rejects: names that cannot be loaded are undefined. */
async function loadNames(queries: QueryClient, records: readonly NamedRecord[]): Promise<Names> {
  const groups = [...Map.groupBy(records, ({ entityType }) => entityType)];
  const loaded = await Promise.all(
    groups.map(async ([entityType, ofType]) => {
      const ids = [...new Set(ofType.map(({ id }) => id))];
      const { select, ...query } = namesQuery(entityType, ids);
      const found = await queries.fetchQuery(query).then(select, () => new Map());
      return ids.map((id) => [keyOf({ entityType, id }), found.get(id)] as const);
    }),
  );
  return new Map(loaded.flat());
}
