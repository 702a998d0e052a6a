import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';

/** The only entity type that the API converts. */
export const convertedType = 'Lead';

type Values = Readonly<Record<string, unknown>>;

/** Values of the records to create, by entity type. */
export type NewRecords = Readonly<Record<string, Values>>;

/** Suggested values for each entity type that the user may create. */
export function conversionQuery(id: string) {
  return queryOptions({
    queryKey: ['records', convertedType, 'conversion', id],
    queryFn: async ({ signal }) =>
      (await bodyOf(
        api.POST('/Lead/action/getConvertAttributes', { body: { id }, signal }),
      )) as NewRecords,
  });
}

/** Fails with 412 if the lead has changed since the tagged version. */
export async function convertLead(
  { id, tag }: { readonly id: string; readonly tag: string },
  request: { readonly records: NewRecords; readonly skipDuplicateCheck: boolean },
): Promise<void> {
  const params = { header: { 'If-Match': tag } };
  await api.POST('/Lead/action/convert', { params, body: { id, ...request } as never });
}
