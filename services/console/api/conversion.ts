import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';

/** The only type that the API converts. */
export const convertedType = 'Lead';

type Values = Readonly<Record<string, unknown>>;

/** What a lead becomes: values by entity type. */
export type NewRecords = Readonly<Record<string, Values>>;

/** What each of them could begin with, for the types that the user may create. */
export function conversionQuery(id: string) {
  return queryOptions({
    queryKey: ['records', convertedType, 'conversion', id],
    queryFn: async ({ signal }) =>
      (await bodyOf(
        api.POST('/Lead/action/getConvertAttributes', { body: { id }, signal }),
      )) as NewRecords,
  });
}

/** Refused with 412 if the lead is not the version of the tag any more. */
export async function convertLead(
  { id, tag }: { readonly id: string; readonly tag: string },
  asked: { readonly records: NewRecords; readonly skipDuplicateCheck: boolean },
): Promise<void> {
  const params = { header: { 'If-Match': tag } };
  await api.POST('/Lead/action/convert', { params, body: { id, ...asked } as never });
}
