import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { runRefusedStart, type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import { hasStandardSignature } from '../support/receivers/webhook-signatures.ts';

const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const headers = { 'X-Of-The-Subscriber': 'kept' };
let product: StartedProduct;
let subscriber: Subscriber;
let client: ApiClient;
let webhook: string;

const admin = (): ApiClient => client.as(withPassword(product.access().admin));
const annals = async (...line: readonly string[]) =>
  runCli([...line, '--data-dir', product.dataDir], {});

beforeAll(async () => {
  subscriber = await startSubscriber();
  const env = { WEBHOOK_ALLOWED_ADDRESSES: subscriber.address, WEBHOOK_QUEUE_INTERVAL: '0' };
  product = await startProduct({ infrastructure: 'own', env });
  client = createApiClient(product.url, withApiKey(product.access().apiKey));
  const event = { event: 'Account.create', url: subscriber.url('/made'), headers };
  ({ id: webhook } = await registerWebhook(client, event));
  const { user } = product.access();
  const code = new TOTP({ secret: totpSecret }).generate();
  const factor = { password: user.password, secret: totpSecret, code };
  const set = await client.as(withPassword(user)).put('/UserSecurity/totp', factor);
  expect(set.status).toBe(200);
});

afterAll(async () => {
  client?.close();
  await product?.remove();
  await subscriber?.close();
});

it('npm start refuses to start with data but without its secret key', async () => {
  const keyFile = join(product.dataDir, 'secret.key');
  await product.stop();
  rmSync(keyFile);
  const dataDir = { ANNALS_DATA_DIR: product.dataDir, ANNALS_INFRA: 'local' };
  const { exit, output } = await runRefusedStart({ ...dataDir, PORT: new URL(product.url).port });
  expect(exit.code).toBe(1);
  expect(output).toMatch(
    /secret\.key is missing, and the secrets in the data cannot be read without it/,
  );
});

/** In the order of docs/operations/secrets.md. */
it('Annals continues with a new key once all secrets of the old key are replaced', async () => {
  writeFileSync(join(product.dataDir, 'secret.key'), `${'0b'.repeat(32)}\n`, { mode: 0o600 });
  const starting = product.startAgain();
  await eventually(
    async () => {
      const { stdout } = await annals('topics', 'accept', '--yes', '--json');
      expect(JSON.parse(stdout)).toEqual({ accepted: true, generation: 2 });
    },
    { timeoutMs: 50_000 },
  );
  product = await starting;
  expect((await client.get('/Account')).status).toBe(401);
  expect((await annals('doctor')).stdout).toMatch(/fault +The secret key opens none of the/);
  expect((await admin().get('/User')).status).toBe(200);

  const { apiKey, hmac, user } = product.access();
  for (const { userName } of [apiKey, hmac]) {
    const { code, stdout } = await annals('user', 'rotate', userName, '--yes', '--json');
    expect(code).toBe(0);
    const keys: { readonly apiKey: string; readonly secretKey: string } = JSON.parse(stdout);
    const credentials = userName === hmac.userName ? withHmacHex(keys) : withApiKey(keys);
    expect((await client.as(credentials).get('/Account')).status).toBe(200);
  }

  const loginOfUser = client.as(withPassword(user));
  const code = { 'Espo-Authorization-Code': new TOTP({ secret: totpSecret }).generate() };
  expect((await loginOfUser.get('/App/user', code)).status).toBe(401);
  const who = { id: 'user', password: product.access().admin.password };
  expect((await admin().post('/UserSecurity/totp/disable', who)).body).toBe(true);
  expect((await loginOfUser.get('/App/user')).status).toBe(200);

  recordIn(await admin().post('/Account', anAccount()));
  await eventually(async () => {
    expect((await annals('dead-letters', 'list')).stdout).toContain('webhook is unusable');
  });
  const rotated = recordIn(await admin().post(`/Webhook/${webhook}/rotateSecret`));
  recordIn(await admin().put(`/Webhook/${webhook}`, { headers }));
  const sent = await annals('dead-letters', 'send', '--webhook', webhook);
  expect(sent.code).toBe(0);
  await eventually(() => expect(subscriber.requests('/made')).toHaveLength(1));
  for (const request of subscriber.requests('/made')) {
    expect(request.headers).toMatchObject({ 'x-of-the-subscriber': 'kept' });
    expect(hasStandardSignature(request, String(rotated['secretKey']))).toBe(true);
  }
});
