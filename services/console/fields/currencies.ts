import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';

const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async () => Object(await bodyOf(api.GET('/Settings'))),
  staleTime: 60_000,
});

/** Returns the currencies that have an exchange rate; an empty list while they are loading. */
export function useCurrencies(): readonly string[] {
  return useQuery(settingsQuery).data?.currencyList ?? [];
}

/** Returns the currency of converted amounts; undefined while it is loading. */
export function useBaseCurrency(): string | undefined {
  return useQuery(settingsQuery).data?.baseCurrency;
}
