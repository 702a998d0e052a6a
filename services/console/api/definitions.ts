import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { components, operations } from './schema.d.ts';

export type FieldDefinition = components['schemas']['fieldDefinition'];
type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
export type EntityValues = BodyOf<'EntityManager_createEntity'>;
export type EntityChange = BodyOf<'EntityManager_updateEntity'>;
export type LinkValues = BodyOf<'EntityManager_createLink'>;
export type LinkType = LinkValues['linkType'];

export function fieldQuery(scope: string, name: string) {
  return queryOptions({
    queryKey: ['definitions', scope, name],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/Admin/fieldManager/{scope}/{name}', {
          params: { path: { scope, name } },
          signal,
        }),
      ),
  });
}

/** Returns the name of the new entity type, to which the server may have added a prefix. */
export async function createEntity(body: EntityValues): Promise<string> {
  const created = await bodyOf(api.POST('/EntityManager/action/createEntity', { body }));
  return String(created.name);
}

export const updateEntity = async (body: EntityChange): Promise<unknown> =>
  bodyOf(api.POST('/EntityManager/action/updateEntity', { body }));

export const removeEntity = async (name: string): Promise<unknown> =>
  bodyOf(api.POST('/EntityManager/action/removeEntity', { body: { name } }));

export const createField = async (scope: string, body: FieldDefinition): Promise<unknown> =>
  bodyOf(api.POST('/Admin/fieldManager/{scope}', { params: { path: { scope } }, body }));

interface FieldPlace {
  readonly scope: string;
  readonly name: string;
}

export const updateField = async (path: FieldPlace, body: FieldDefinition): Promise<unknown> =>
  bodyOf(api.PATCH('/Admin/fieldManager/{scope}/{name}', { params: { path: { ...path } }, body }));

export const removeField = async (path: FieldPlace): Promise<unknown> =>
  bodyOf(api.DELETE('/Admin/fieldManager/{scope}/{name}', { params: { path: { ...path } } }));

export const resetField = async (body: FieldPlace): Promise<unknown> =>
  bodyOf(api.POST('/FieldManager/action/resetToDefault', { body: { ...body } }));

export const createLink = async (body: LinkValues): Promise<unknown> =>
  bodyOf(api.POST('/EntityManager/action/createLink', { body }));

export const updateLink = async (body: BodyOf<'EntityManager_updateLink'>): Promise<unknown> =>
  bodyOf(api.POST('/EntityManager/action/updateLink', { body }));

export const removeLink = async (entity: string, link: string): Promise<unknown> =>
  bodyOf(api.POST('/EntityManager/action/removeLink', { body: { entity, link } }));
