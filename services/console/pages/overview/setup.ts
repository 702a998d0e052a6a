import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useMetadata } from '../../api/metadata.ts';
import { usePreference } from '../../api/preferences.ts';
import type { Condition } from '../../api/records.ts';

/** Returns whether an entity type has a record that meets the conditions. */
async function hasRecord(
  entity: string,
  where: readonly Condition[],
  signal: AbortSignal,
): Promise<boolean> {
  const search = { select: ['id'], maxSize: 1, where };
  const query = { searchParams: JSON.stringify(search) as never };
  const header = { 'X-No-Total': 'true' as const };
  const params = { path: { entity }, query, header };
  return (await bodyOf(api.GET('/{entity}', { params, signal }))).list.length > 0;
}

/** The users and the role with which every installation begins. */
const initialIds: Condition = {
  type: 'notIn',
  attribute: 'id',
  value: ['admin', 'system', 'user', 'role-full-access'],
};

const conditions = {
  users: [initialIds, { type: 'in', attribute: 'type', value: ['admin', 'regular'] }],
  roles: [initialIds],
  webhooks: [],
} as const satisfies Readonly<Record<string, readonly Condition[]>>;

/** Loads which parts of a new installation are set up. `types` are the entity types of business records. */
function setupQuery(types: readonly string[]) {
  return queryOptions({
    queryKey: ['records', 'setup', types],
    queryFn: async ({ signal }) => {
      const [users, roles, webhooks] = await Promise.all([
        hasRecord('User', conditions.users, signal),
        hasRecord('Role', conditions.roles, signal),
        hasRecord('Webhook', conditions.webhooks, signal),
      ]);
      return { records: await hasAnyRecord(types, signal), users, roles, webhooks };
    },
  });
}

/** One type after the other, because most installations have records of the first type. */
async function hasAnyRecord(types: readonly string[], signal: AbortSignal): Promise<boolean> {
  for (const type of types) if (await hasRecord(type, [], signal)) return true;
  return false;
}

/** Returns which parts are set up: undefined while that is unknown, null if the user has hidden the steps or none is left. */
export function useSetup() {
  const types = [...useMetadata().values()].filter(({ scope }) => scope.tab);
  const [stored, store] = usePreference('annals-overview', () => undefined);
  const isHidden = Object(stored).stepsHidden === true;
  const { data, error } = useQuery({
    ...setupQuery(types.map(({ name }) => name)),
    enabled: !isHidden,
  });
  const isDone = data !== undefined && Object.values(data).every(Boolean);
  return {
    done: isHidden || isDone || error !== null ? null : data,
    hide: () => store({ stepsHidden: true }),
  };
}

export type Setup = NonNullable<ReturnType<typeof useSetup>['done']>;
