import { TOTP } from 'otpauth';
import { type ApiAnswer, type ApiClient, recordIn } from '../api-client.ts';
import { anAccount } from '../builders/record-builders.ts';
import {
  anonymous,
  withApiKey,
  withEspo,
  withHmacHex,
  withPassword,
  withToken,
} from '../credentials.ts';
import { registerWebhook } from '../receivers/register-webhook.ts';

export interface PlantedSecrets {
  readonly secrets: readonly string[];
  /** Responses of the API to wrong credentials. */
  readonly refusals: readonly ApiAnswer[];
}

const wrongCode = { 'Espo-Authorization-Code': '000000x' };

/**
 * As an administrator, creates a user who logs in, changes the password and gets a second factor; API users
 * with replaced keys; and a webhook with custom headers and a second secret. Uses each correctly and wrongly.
 */
export async function plantSecrets(admin: ApiClient, webhookUrl: string): Promise<PlantedSecrets> {
  const person = await plantPerson(admin);
  const keys = await plantKeys(admin);
  const webhook = await plantWebhook(admin, webhookUrl);
  const capture = await plantCapture(admin);
  return {
    secrets: [...person.secrets, ...keys, ...webhook, ...capture.secrets],
    refusals: [...person.refusals, ...capture.refusals],
  };
}

/**
 * Adds lead capture keys, which are part of paths: a replaced one, and one that is used correctly and
 * wrongly.
 */
async function plantCapture(admin: ApiClient): Promise<PlantedSecrets> {
  const capture = recordIn(await admin.post('/LeadCapture', { name: 'Canary form' }));
  const [id, previous] = [capture.id, String(capture['apiKey'])];
  const form = admin.as(anonymous);
  requireOk(await form.post(`/LeadCapture/${previous}`, { lastName: 'Canary lead' }));
  const renewed = await admin.post('/LeadCapture/action/generateNewApiKey', { id });
  const key = String(recordIn(renewed)['apiKey']);
  requireOk(await form.post(`/leadCapture//${key}/?a=b`, { lastName: 'Canary lead' }));
  const replaced = await form.post(`/LeadCapture/${previous}`, { lastName: 'Canary lead' });
  const refusals = [replaced, await form.post(`/LeadCapture/${key}`, {})];
  return { secrets: [previous, key], refusals };
}

async function plantPerson(admin: ApiClient): Promise<PlantedSecrets> {
  const userName = 'canary';
  const first = { userName, password: 'the-first-password-of-canary' };
  const changed = { userName, password: 'the-second-password-of-canary' };
  recordIn(await admin.post('/User', { ...first, type: 'regular', lastName: 'Canary' }));
  const asFirst = admin.as(withPassword(first));
  const change = { password: changed.password, currentPassword: first.password };
  const weak = await asFirst.put('/UserSecurity/password', { ...change, password: 'short' });
  requireOk(await asFirst.put('/UserSecurity/password', change));
  const outdated = await asFirst.get('/Account');

  const login = admin.as(withEspo({ userName, secret: changed.password }));
  const answer = requireOk(
    await login.get('/App/user', { 'Espo-Authorization-Create-Token-Secret': 'true' }),
  );
  const { token } = answer.body as { readonly token: string };
  const [cookie = ''] = answer.headers['set-cookie'] ?? [];
  const [pair = ''] = cookie.split(';');
  const byToken = admin.as(withToken({ userName, secret: token }));
  requireOk(await byToken.get('/App/user', { Cookie: pair }));
  const withoutCookie = await byToken.get('/Account');

  const own = admin.as(withPassword(changed));
  const made = requireOk(await own.post('/UserSecurity/totp/generate'));
  const { secret } = made.body as { readonly secret: string };
  const factor = { password: changed.password, secret };
  const wrongFactor = await own.put('/UserSecurity/totp', { ...factor, code: '000000x' });
  const code = new TOTP({ secret }).generate();
  requireOk(await own.put('/UserSecurity/totp', { ...factor, code }));
  const recovery = requireOk(
    await byToken.post(
      '/UserSecurity/totp/recoveryCodes',
      { password: changed.password },
      {
        Cookie: pair,
      },
    ),
  );
  const { codes } = recovery.body as { readonly codes: readonly string[] };
  requireOk(await own.get('/App/user', { 'Espo-Authorization-Code': codes[0] ?? '' }));
  const withoutCode = await own.get('/Account');
  const badCode = await own.get('/Account', wrongCode);
  return {
    secrets: [first.password, changed.password, token, pair.split('=')[1] ?? '', secret, ...codes],
    refusals: [weak, outdated, withoutCookie, wrongFactor, withoutCode, badCode],
  };
}

async function plantKeys(admin: ApiClient): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const authMethod of ['ApiKey', 'Hmac']) {
    const userName = `canary-${authMethod.toLowerCase()}`;
    const made = recordIn(await admin.post('/User', { userName, type: 'api', authMethod }));
    const path = '/UserSecurity/apiKey/generate';
    const replaced = recordIn(await admin.post(path, { id: made.id }));
    for (const given of [made, replaced]) {
      const user = { apiKey: String(given['apiKey']), secretKey: String(given['secretKey'] ?? '') };
      keys.push(user.apiKey, ...(user.secretKey === '' ? [] : [user.secretKey]));
      await admin.as(user.secretKey === '' ? withApiKey(user) : withHmacHex(user)).get('/App/user');
    }
  }
  return keys;
}

async function plantWebhook(admin: ApiClient, url: string): Promise<readonly string[]> {
  const header = 'Bearer of-the-own-header-of-a-webhook';
  const headers = { Authorization: header };
  const { id, secretKey } = await registerWebhook(admin, {
    event: 'Account.create',
    url,
    headers,
  });
  const rotated = recordIn(await admin.post(`/Webhook/${id}/rotateSecret`));
  recordIn(await admin.post('/Account', anAccount()));
  return [header, secretKey, String(rotated['secretKey'])];
}

function requireOk(answer: ApiAnswer): ApiAnswer {
  if (answer.status === 200) return answer;
  throw new Error(`status ${answer.status}: ${answer.text}`);
}
