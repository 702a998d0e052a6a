import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { anonymous, withApiKey } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import type { Call, CallFailed, CallingStyle } from './styles/calling-style.ts';
import { publishedStyles } from './styles/published-styles.ts';

let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { WEBHOOK_ALLOWED_ADDRESSES: 'example.com:443' } });
  api = createApiClient(product.url, anonymous);
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

type Values = Readonly<Record<string, unknown>>;

const values = (answer: unknown): Values => Object(answer);
const idOf = (answer: unknown): string => String(values(answer)['id']);
const namesIn = (answer: unknown): readonly unknown[] =>
  [...Object(values(answer)['list'])].map((record: Values) => record['name']);

/** Returns the error that a client throws for a rejected request. */
async function failureOf(calling: Promise<unknown>): Promise<CallFailed> {
  return calling.then(
    (answer) => expect.fail(`expected an error, got ${JSON.stringify(answer)}`),
    (error: CallFailed) => error,
  );
}

describe.each(publishedStyles)('a client in the style $name', (style: CallingStyle) => {
  let call: Call;
  let accountId: string;
  const name = unique('Styled');

  beforeAll(() => {
    call = style.connect(api, product.access());
  });

  it('identifies its user', async () => {
    const { user, settings, acl } = values(await call('GET', 'App/user'));

    expect(values(user)['userName']).toMatch(/./);
    expect(values(settings)['version']).toMatch(/^\d+\./);
    expect(values(acl)['table']).toHaveProperty('Account');
  });

  it('creates, reads and changes a record', async () => {
    const made = values(await call('POST', 'Account', { name, website: 'https://styled.example' }));
    accountId = idOf(made);
    expect(accountId).toMatch(/^[0-9a-f]{17}$/);
    expect(made).toMatchObject({ name, deleted: false, type: null });

    const changed = await call(style.updatesWith, `Account/${accountId}`, { type: 'Partner' });
    expect(changed).toMatchObject({ name, type: 'Partner', website: 'https://styled.example' });
    expect(await call('GET', `Account/${accountId}`)).toMatchObject({ name, type: 'Partner' });
  });

  it('finds the record by grouped conditions with only the selected attributes', async () => {
    const either = [
      { type: 'equals', attribute: 'type', value: 'Partner' },
      { type: 'in', attribute: 'type', value: ['Reseller', 'Customer'] },
    ];
    const where = [
      { type: 'startsWith', attribute: 'name', value: name.slice(0, -1) },
      { type: 'or', value: either },
      { type: 'isNull', attribute: 'sicCode' },
    ];
    const search = { where, select: ['id', 'name'], orderBy: 'name', order: 'asc', maxSize: 5 };
    const found = values(await call('GET', 'Account', search));

    expect([found['total'], namesIn(found)]).toEqual([1, [name]]);
    expect(found['list']).not.toHaveProperty('[0].website');
    const other = { type: 'equals', attribute: 'name', value: `${name} & [no]=one+` };
    expect(await call('GET', 'Account', { where: [other] })).toEqual({ total: 0, list: [] });
  });

  it('filters by boolean fields', async () => {
    const contact = await call('POST', 'Contact', { lastName: name, doNotCall: true });
    const where = [
      { type: 'equals', attribute: 'doNotCall', value: true },
      { type: 'equals', attribute: 'lastName', value: name },
    ];
    const search = { where, offset: 0, maxSize: 5 };

    expect(await call('GET', 'Contact', search)).toMatchObject({
      total: 1,
      list: [{ id: idOf(contact) }],
    });
    const others = [{ ...where[0], value: false }, where[1]];
    expect(await call('GET', 'Contact', { where: others })).toMatchObject({ total: 0 });
  });

  it('links and unlinks records', async () => {
    const path = `Account/${accountId}/contacts`;
    const contactId = idOf(await call('POST', 'Contact', { lastName: unique('Linked') }));

    expect(await call('POST', path, { id: contactId })).toBe(true);
    expect(await call('GET', path, { select: ['id'] })).toMatchObject({ total: 1 });
    if (!style.canUnlink) return;
    expect(await call('DELETE', path, { id: contactId })).toBe(true);
    expect(await call('GET', path)).toEqual({ total: 0, list: [] });
  });

  it('registers and deletes a webhook if it is an API user', async () => {
    const url = `https://example.com/${encodeURIComponent(style.name)}`;
    const { type } = values(values(await call('GET', 'App/user'))['user']);
    const registering = call('POST', 'Webhook', { event: 'Account.create', url });
    if (type !== 'api') {
      expect(await failureOf(registering)).toMatchObject({
        status: 403,
        reason: expect.stringContaining('Webhook'),
      });
      return;
    }
    const made = style.expects200 ? (await failureOf(registering)).body : await registering;
    expect(made).toMatchObject({
      isActive: true,
      secretKey: expect.stringMatching(/^[0-9a-f]{32,}$/),
    });
    expect(await call('DELETE', `Webhook/${idOf(made)}`)).toBe(true);
  });

  it('receives details of invalid values and duplicates', async () => {
    const invalid = await failureOf(call('POST', 'Account', {}));
    const reason = 'Field validation failure; entityType: Account, field: name, type: required.';
    expect([invalid.status, invalid.reason]).toEqual([400, reason]);

    const duplicate = await failureOf(call('POST', 'Account', { name }));
    expect([duplicate.status, duplicate.reason]).toEqual([409, 'duplicate']);
    expect(duplicate.body).toMatchObject([{ id: accountId, name }]);
    const skip = { 'X-Skip-Duplicate-Check': 'true' };
    const second = idOf(await call('POST', 'Account', { name }, skip));
    expect(second).not.toBe(accountId);
    expect(await call('DELETE', `Account/${second}`)).toBe(true);
  });

  it('deletes a record and no longer finds it', async () => {
    expect(await call('DELETE', `Account/${accountId}`)).toBe(true);
    const gone = await failureOf(call('GET', `Account/${accountId}`));
    expect([gone.status, gone.reason]).toEqual([404, expect.stringContaining(accountId)]);
  });
});

describe('the path of a request', () => {
  const json = { 'Content-Type': 'application/json' };

  it.each([
    ['/api/v1', 'contact', 'account', ''],
    ['/api/v1', 'contacts', 'accounts', ''],
    ['//api/v1', 'Contact', 'Account', ''],
    ['/api/v1/', 'contacts', 'Account', '/'],
  ])(
    'may start with %s and name %s or %s, with "%s" at its end',
    async (root, contacts, accounts, end) => {
      const headers = { ...withApiKey(product.access().apiKey)('', ''), ...json };
      const send = async (method: string, path: string, body?: object) =>
        api.send({
          method,
          target: `${root}/${path}${end}`,
          headers,
          body: body && JSON.stringify(body),
        });
      const { id } = recordIn(await send('POST', contacts, { lastName: unique('Addressed') }));
      const account = recordIn(await send('POST', accounts, { name: unique('Addressed') }));
      const link = `${accounts}/${account.id}/contacts`;

      expect((await send('PUT', `${contacts}/${id}`, { description: 'First' })).status).toBe(200);
      expect((await send('PATCH', `${contacts}/${id}`, { firstName: 'Ada' })).status).toBe(200);
      expect((await send('POST', link, { ids: [id] })).text).toBe('true');
      // A content type without a body: nothing is linked, and the request succeeds.
      expect((await send('POST', link)).text).toBe('false');
      expect(listIn(await send('GET', link))).toMatchObject({
        total: 1,
        list: [{ id, description: 'First', firstName: 'Ada' }],
      });
      expect((await send('DELETE', link, { id })).text).toBe('true');
      expect((await send('DELETE', `${contacts}/${id}`)).text).toBe('true');
      expect((await send('GET', `${contacts}/${id}`)).status).toBe(404);
    },
  );
});
