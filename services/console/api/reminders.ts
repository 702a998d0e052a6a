import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { components } from './schema.d.ts';

export type DueReminder = components['schemas']['reminder'];

const checkEveryMs = 60_000;

/** Loads the user's due reminders, again every minute while the page is visible. */
export const remindersQuery = queryOptions({
  queryKey: ['reminders'],
  queryFn: async ({ signal }) =>
    (await bodyOf(api.GET('/PopupNotification/action/grouped', { signal }))).event,
  refetchInterval: checkEveryMs,
  // A reminder may have been dismissed in another tab.
  refetchOnWindowFocus: 'always',
});

export async function dismissReminder(id: string): Promise<void> {
  await api.POST('/Activities/action/removePopupNotification', { body: { id } });
}
