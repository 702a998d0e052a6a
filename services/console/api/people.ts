import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { components } from './schema.d.ts';

export type Rights = components['schemas']['acl'];

/** Loads the effective permissions of a user: the combination of all their roles. */
export function rightsQuery(id: string) {
  return queryOptions({
    queryKey: ['records', 'User', 'rights', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/User/{id}/acl', { params: { path: { id } }, signal })),
  });
}

const maxUsers = 200;

/** Loads the users with read access to a record, and their other permissions for it. */
export function usersAccessQuery(entity: string, id: string) {
  return queryOptions({
    queryKey: ['records', entity, 'usersAccess', id],
    queryFn: async ({ signal }) => {
      const params = { path: { entity, id }, query: { maxSize: maxUsers } };
      return bodyOf(api.GET('/{entity}/{id}/usersAccess', { params, signal }));
    },
    enabled: id !== '',
  });
}

/** Keys of an API user. The server returns them only when they are generated. */
export interface Keys {
  readonly apiKey: string;
  /** Present only with the authentication method `Hmac`. */
  readonly secretKey?: string;
}

/** Generates new keys. The previous keys become invalid immediately. */
export async function generateKeys(id: string): Promise<Keys> {
  return keysIn(await bodyOf(api.POST('/UserSecurity/apiKey/generate', { body: { id } })));
}

export function keysIn(user: object): Keys {
  const { apiKey, secretKey } = Object(user);
  return { apiKey: String(apiKey), ...(secretKey ? { secretKey: String(secretKey) } : {}) };
}
