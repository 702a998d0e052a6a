import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';

const pageSize = 200;
const maxAgeMs = 600_000;

/** Loads which users have a picture: the id of its file by the id of the user. */
export const picturesQuery = queryOptions({
  queryKey: ['records', 'User', 'pictures'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
    const pictures = new Map<string, string>();
    let isComplete = false;
    for (let offset = 0; !isComplete; offset += pageSize) {
      const search = {
        select: ['avatarId'],
        where: [{ type: 'isNotNull', attribute: 'avatarId' }],
        offset,
        maxSize: pageSize,
      };
      const query = { searchParams: JSON.stringify(search) as never };
      const header = { 'X-No-Total': 'true' as const };
      const params = { path: { entity: 'User' }, query, header };
      const { list } = await bodyOf(api.GET('/{entity}', { params, signal }));
      for (const { id, avatarId } of list) pictures.set(id, String(avatarId));
      isComplete = list.length < pageSize;
    }
    return pictures;
  },
  staleTime: maxAgeMs,
});
