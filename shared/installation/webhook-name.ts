import type { Directory } from '../domain/directory/directory.ts';

/**
 * Returns the URL of a webhook, even if the webhook was removed; null for an unknown id. The query is hidden, because
 * it often contains keys.
 */
export function urlOfWebhook({ record }: Directory, webhookId: string): string | null {
  const url = URL.parse(String(record('Webhook', webhookId)?.values['url'] ?? ''));
  if (url === null) return null;
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

/** `0ca7a81001077281f at https://example.org/hook`. */
export function nameWebhook(directory: Directory, webhookId: string): string {
  return withUrl(webhookId, urlOfWebhook(directory, webhookId));
}

export function withUrl(webhookId: string, url: string | null): string {
  return url === null ? webhookId : `${webhookId} at ${url}`;
}
