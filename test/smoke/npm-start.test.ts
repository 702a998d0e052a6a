import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import { hasStandardSignature } from '../support/receivers/webhook-signatures.ts';

let subscriber: Subscriber;
let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    infrastructure: 'own',
    env: { WEBHOOK_QUEUE_INTERVAL: '1s', WEBHOOK_ALLOWED_ADDRESSES: subscriber.address },
  });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});
afterAll(async () => {
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

it('npm start runs its own Kafka and Postgres, stores a record and delivers a signed webhook', async () => {
  const url = subscriber.url('/created');
  const { secretKey } = await registerWebhook(api, { event: 'Account.create', url });
  const account = recordIn(await api.post('/Account', { name: 'Acme' }));
  expect(recordIn(await api.get(`/Account/${account.id}`))).toMatchObject({ name: 'Acme' });
  await eventually(() => expect(subscriber.requests('/created')).toHaveLength(1));
  const [request] = subscriber.requests('/created');
  expect(JSON.parse(String(request?.body))).toMatchObject([{ id: account.id, name: 'Acme' }]);
  expect(request && hasStandardSignature(request, secretKey)).toBe(true);
});
