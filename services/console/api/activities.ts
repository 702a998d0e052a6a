import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type ResponseOf } from './client.ts';
import { activityTypesOf, type Entity, type Metadata } from './metadata.ts';
import type { AppUser } from './session.ts';

export type Activity = ResponseOf<'/Activities/{entity}/{id}/activities'>['list'][number];

/** Returns whether the user can list the activities of records of a type. */
export function hasActivities(metadata: Metadata, entity: Entity, { acl }: AppUser): boolean {
  if (!entity.scope.object || acl.table['Activities'] !== true) return false;
  return activityTypesOf(metadata).some((activity) =>
    Object.entries(activity.fields).some(
      ([name, { entityList = [] }]) =>
        entityList.includes(entity.name) || activity.links[name]?.entity === entity.name,
    ),
  );
}

/** Loads the first `maxSize` planned activities of a record, earliest first. */
export function plannedActivitiesQuery(entity: string, id: string, maxSize: number) {
  return queryOptions({
    queryKey: ['records', entity, 'activities', id, maxSize],
    queryFn: async ({ signal }) => {
      const query = { order: 'asc' as const, maxSize };
      const params = { path: { entity, id }, query };
      return bodyOf(api.GET('/Activities/{entity}/{id}/activities', { params, signal }));
    },
  });
}
