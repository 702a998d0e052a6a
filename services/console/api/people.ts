import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { components } from './schema.d.ts';

export type Rights = components['schemas']['acl'];

/** What all roles of a user come to. */
export function rightsQuery(id: string) {
  return queryOptions({
    queryKey: ['records', 'User', 'rights', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/User/{id}/acl', { params: { path: { id } }, signal })),
  });
}

const mostUsers = 200;

/** Who may read a record, and what else they may do with it. */
export function usersAccessQuery(entity: string, id: string) {
  return queryOptions({
    queryKey: ['records', entity, 'usersAccess', id],
    queryFn: async ({ signal }) => {
      const params = { path: { entity, id }, query: { maxSize: mostUsers } };
      return bodyOf(api.GET('/{entity}/{id}/usersAccess', { params, signal }));
    },
    enabled: id !== '',
  });
}

/** Of an API user. They are shown when they are made, and not again. */
export interface Keys {
  readonly apiKey: string;
  /** With `Hmac` alone. */
  readonly secretKey?: string;
}

/** New keys; the old ones are dead at once. */
export async function makeKeys(id: string): Promise<Keys> {
  return keysIn(await bodyOf(api.POST('/UserSecurity/apiKey/generate', { body: { id } })));
}

export function keysIn(user: object): Keys {
  const { apiKey, secretKey } = Object(user);
  return { apiKey: String(apiKey), ...(secretKey ? { secretKey: String(secretKey) } : {}) };
}
