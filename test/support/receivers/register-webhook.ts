import { type ApiClient, recordIn } from '../api-client.ts';

export interface RegisteredWebhook {
  readonly id: string;
  readonly secretKey: string;
}

/** `changes` override the body: options, isActive, another URL. */
export async function registerWebhook(
  api: ApiClient,
  body: { readonly event: string; readonly url: string; readonly [option: string]: unknown },
): Promise<RegisteredWebhook> {
  const { id, secretKey } = recordIn(await api.post('/Webhook', body));
  return { id, secretKey: String(secretKey) };
}
