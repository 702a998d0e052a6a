import type { Directory } from '../../../shared/domain/directory/directory.ts';

type Records = Pick<Directory, 'record'>;

/** Where a webhook sends, also one that is gone; null for an id that none ever had. Keys often stand in the query. */
export function urlOfWebhook({ record }: Records, webhookId: string): string | null {
  const url = URL.parse(String(record('Webhook', webhookId)?.values['url'] ?? ''));
  if (url === null) return null;
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

/** `0ca7a81001077281f at https://example.org/hook`. */
export function nameWebhook(directory: Records, webhookId: string): string {
  return withUrl(webhookId, urlOfWebhook(directory, webhookId));
}

export function withUrl(webhookId: string, url: string | null): string {
  return url === null ? webhookId : `${webhookId} at ${url}`;
}
