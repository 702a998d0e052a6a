import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { encodeFileChunk } from '../../shared/events/file-chunk-codec.ts';
import { partitionOf } from '../../shared/events/partition-of.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { createLogReader } from '../support/log/log-reader.ts';

let product: StartedProduct;
let api: ApiClient;
let admin: ApiClient;
let apiKey: string;
const topicPrefix = `files-${process.pid}-${Date.now()}`;
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const MIB = 1024 * 1024;

beforeAll(async () => {
  product = await startProduct({
    // Two apis, so that one often decides what the other one reads.
    env: {
      API_CUSTOM_PREFIX: 'taken',
      ANNALS_TOPIC_PREFIX: topicPrefix,
      API_UPLOAD_LIMIT: '3',
      API_UPLOAD_UNATTACHED_LIMIT: '30',
      ANNALS_API_INSTANCES: '2',
    },
  });
  admin = createApiClient(product.url, withPassword(product.access().admin));
  await admin.post('/EntityManager/action/createEntity', {
    name: 'Paper',
    type: 'Base',
    labelSingular: 'Paper',
    labelPlural: 'Papers',
    stream: true,
  });
  for (const field of [
    { name: 'scan', type: 'file', maxFileSize: 1, accept: ['application/pdf', '.txt'] },
    { name: 'photo', type: 'image' },
    { name: 'copies', type: 'attachmentMultiple', maxCount: 2 },
  ]) {
    const made = await admin.post('/Admin/fieldManager/Paper', field);
    expect(made.status, made.text).toBe(200);
  }
  ({ client: api, key: apiKey } = await makeUser({ Account: all, Case: all, Paper: all }));
});

afterAll(async () => {
  admin?.close();
  await product?.remove();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };

/** Creates an API user with its own role. */
async function makeUser(data: object, more: object = {}) {
  const name = `user-${unique('x').replace(' ', '-')}`.toLowerCase();
  const role = recordIn(await admin.post('/Role', { name, data, ...more }));
  const user = recordIn(
    await admin.post('/User', { userName: name, type: 'api', rolesIds: [role.id] }),
  );
  const key = String(user['apiKey']);
  return { id: user.id, key, client: admin.as(withApiKey({ apiKey: key })) };
}

const forCase = { parentType: 'Case', field: 'attachments' };

function upload(content: Buffer, more: object = {}, client: ApiClient = api) {
  const { type = 'text/plain' } = more as { readonly type?: string };
  return client.post('/Attachment', {
    name: 'a.txt',
    type,
    role: 'Attachment',
    file: `data:${type};base64,${content.toString('base64')}`,
    ...('relatedType' in more ? {} : forCase),
    ...more,
  });
}

async function uploaded(content: Buffer, more: object = {}, client: ApiClient = api) {
  return recordIn(await upload(content, more, client)).id;
}

/** Downloads the bytes as any client does. */
async function download(id: string, headers: Readonly<Record<string, string>> = {}, key = apiKey) {
  const answer = await fetch(`${product.url}/api/v1/Attachment/file/${id}`, {
    headers: { 'X-Api-Key': key, ...headers },
  });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

async function statusOf(id: string, key: string): Promise<number> {
  return (await download(id, {}, key)).answer.status;
}

const readTopic = async () => {
  const reader = createLogReader(product.access().kafka);
  const messages = (await reader.messages(`${topicPrefix}.files`)).flat();
  await reader.close();
  return messages;
};

describe('an uploaded file', () => {
  it('is returned as a record and can be downloaded immediately', async () => {
    const content = randomBytes(3 * MIB - 17);
    const answer = await upload(content, { name: 'Bericht "2030" – ü.bin', type: 'a/b' });
    expect(answer.status, answer.text).toBe(200);
    const record = recordIn(answer);
    expect(record).toMatchObject({
      name: 'Bericht "2030" – ü.bin',
      type: 'a/b',
      size: content.length,
      role: 'Attachment',
      field: 'attachments',
      parentType: 'Case',
      relatedType: null,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(record).not.toHaveProperty('file');
    const { answer: got, bytes } = await download(record.id);
    expect(got.status).toBe(200);
    expect(bytes.equals(content)).toBe(true);
    expect(got.headers.get('content-length')).toBe(`${content.length}`);
    expect(got.headers.get('content-disposition')).toBe(
      `attachment; filename="Bericht _2030_ ? ?.bin"; filename*=UTF-8''Bericht%20_2030_%20%E2%80%93%20%C3%BC.bin`,
    );
    const chunks = (await readTopic()).filter(({ key }) => key === record['sha256']);
    expect(chunks.map(({ value }) => (value?.length ?? 0) <= 513 * 1024)).toEqual(
      Array.from({ length: 6 }, () => true),
    );
  });

  it('supports range, conditional and HEAD requests', async () => {
    const id = await uploaded(Buffer.from('0123456789'));
    const part = await download(id, { Range: 'bytes=2-4' });
    expect([part.answer.status, `${part.bytes}`]).toEqual([206, '234']);
    expect(part.answer.headers.get('content-range')).toBe('bytes 2-4/10');
    const etag = part.answer.headers.get('etag') ?? '';
    expect((await download(id, { 'If-None-Match': etag })).answer.status).toBe(304);
    const other = await download(id, { Range: 'bytes=2-4', 'If-Range': '"other"' });
    expect([other.answer.status, `${other.bytes}`]).toEqual([200, '0123456789']);
    const head = await api.send({
      method: 'HEAD',
      target: `/api/v1/Attachment/file/${id}`,
      headers: { 'X-Api-Key': apiKey },
    });
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '10', '']);
  });

  it('cannot run code in a browser and is displayed inline only if it is a picture', async () => {
    const page = await download(await uploaded(Buffer.from('<script>'), { type: 'text/html' }));
    expect(Object.fromEntries(page.answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=a.txt',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const picture = await download(await uploaded(png, { name: 'p.png', type: 'image/png' }));
    expect(Object.fromEntries(picture.answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename=p.png',
    });
  });

  it('may be empty', async () => {
    const { answer, bytes } = await download(await uploaded(Buffer.alloc(0)));
    expect([answer.status, bytes.length]).toEqual([200, 0]);
  });

  it('is created once per Idempotency-Key, which cannot be reused for another file', async () => {
    const headers = { 'Idempotency-Key': unique('key') };
    const body = { name: 'a.txt', ...forCase, file: 'data:text/plain;base64,aGk=' };
    const first = await api.post('/Attachment', body, headers);
    const again = await api.post('/Attachment', body, headers);
    expect(recordIn(again).id).toBe(recordIn(first).id);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = { ...body, file: 'data:text/plain;base64,aG8=' };
    expect((await api.post('/Attachment', other, headers)).status).toBe(422);
  });

  it('is found under other spellings of its entity type', async () => {
    for (const name of ['attachment', 'attachments']) {
      const body = { name: 'a.txt', ...forCase, file: `data:;base64,${'A'.repeat(2 * MIB)}` };
      const answer = await api.post(`/${name}`, body);
      expect(recordIn(answer)).toMatchObject({ type: 'application/octet-stream', size: 1.5 * MIB });
    }
  });
});

describe('an invalid upload', () => {
  it.each([
    [400, 'file.invalid', { file: 'aGk=' }],
    [400, 'file.invalid', { file: 'data:text/plain,hi' }],
    [400, 'file.invalid', { file: 'data:text/plain;base64,a*k=' }],
    [400, 'file.invalid', { file: 7 }],
    [400, 'file.invalid', { type: 'text' }],
    [400, 'file.invalid', { role: 'Export File' }],
    [400, 'file.invalid', { relatedType: 'Nothing' }],
    [400, 'file.invalid', { relatedType: 'Case', field: 'name' }],
    [400, 'file.invalid', { relatedType: undefined, parentType: undefined }],
    [400, 'record.invalid', { name: '' }],
    [400, 'record.invalid', { name: undefined }],
    [400, 'record.invalid', { name: 'x'.repeat(256) }],
    [413, 'file.too_large', { size: 9 * MIB }],
    [413, 'file.too_large', { size: 3 * MIB + 1 }],
    [413, 'file.too_large', { relatedType: 'Paper', field: 'scan', size: 2 * MIB }],
    [400, 'file.type', { relatedType: 'Paper', field: 'scan', type: 'text/html', name: 'a.htm' }],
    [400, 'file.type', { relatedType: 'Paper', field: 'photo', type: 'image/svg+xml' }],
  ])(
    'is rejected with %i %s: %j',
    async (status, code, { size = 2, ...more }: object & { readonly size?: number }) => {
      const before = listIn(await admin.get('/Attachment?maxSize=1')).total;
      const file = `data:text/plain;base64,${Buffer.alloc(size).toString('base64')}`;
      const answer = await api.post('/Attachment', { name: 'a.txt', ...forCase, file, ...more });
      expect([answer.status, Object(answer.body)['code']]).toEqual([status, code]);
      expect(listIn(await admin.get('/Attachment?maxSize=1')).total).toBe(before);
    },
  );

  it('is rejected without reading the body if the caller is unknown', async () => {
    const { client } = await makeUser({ Account: all });
    expect((await upload(png, {}, client)).status).toBe(403);
    const fieldData = { Case: { attachments: { read: 'yes', edit: 'no' } } };
    const reader = await makeUser({ Case: all }, { fieldData });
    expect((await upload(png, {}, reader.client)).status).toBe(403);
    const stranger = admin.as(withApiKey({ apiKey: '0'.repeat(32) }));
    const large = Buffer.alloc(3 * MIB);
    expect((await upload(large, {}, stranger)).status).toBe(401);
  });
});

describe('a field for files', () => {
  it('returns the names and types of its files', async () => {
    const [one, two] = [
      await uploaded(Buffer.from('1')),
      await uploaded(png, { name: 'p.png', type: 'image/png' }),
    ];
    const made = recordIn(
      await api.post('/Case', { name: unique('With'), attachmentsIds: [one, two] }),
    );
    const files = {
      attachmentsIds: [one, two],
      attachmentsNames: { [one]: 'a.txt', [two]: 'p.png' },
      attachmentsTypes: { [one]: 'text/plain', [two]: 'image/png' },
    };
    expect(made).toMatchObject(files);
    expect(recordIn(await api.get(`/Case/${made.id}`))).toMatchObject(files);
    const scan = await uploaded(Buffer.from('s'), { relatedType: 'Paper', field: 'scan' });
    const photo = await uploaded(png, { relatedType: 'Paper', field: 'photo', type: 'image/png' });
    const paper = recordIn(await api.post('/Paper', { name: 'P', scanId: scan, photoId: photo }));
    expect(paper).toMatchObject({ scanId: scan, scanName: 'a.txt', photoName: 'a.txt' });
    const { list } = listIn(await api.get('/Paper?select=name,scanName'));
    expect(list[0]).toMatchObject({ scanId: scan, scanName: 'a.txt' });
  });

  it('stores the picture of a user, which users without permission to edit themselves cannot set', async () => {
    const forUser = { relatedType: 'User', field: 'avatar', type: 'image/png', name: 'me.png' };
    const avatarId = await uploaded(png, forUser, admin);
    const userName = unique('pictured').replace(' ', '-').toLowerCase();
    const user = recordIn(await admin.post('/User', { userName, type: 'api' }));
    const shown = { avatarId, avatarName: 'me.png', avatarColor: '#aa0000' };
    const written = await admin.put(`/User/${user.id}`, { avatarId, avatarColor: '#aa0000' });
    expect(written.body).toMatchObject(shown);
    expect((await admin.get(`/User/${user.id}`)).body).toMatchObject(shown);
    const own = admin.as(withApiKey({ apiKey: String(user['apiKey']) }));
    expect((await own.get(`/User/${user.id}`)).text).toContain(avatarId);
    expect(await statusOf(avatarId, String(user['apiKey']))).toBe(200);
    expect((await upload(png, forUser, own)).status).toBe(403);
    const elsewhere = await uploaded(png, { ...forUser, relatedType: 'Paper', field: 'photo' });
    for (const misplaced of [
      await admin.put(`/User/${user.id}`, { avatarId: elsewhere }),
      await admin.post('/User', { userName: `${userName}2`, type: 'api', avatarId: elsewhere }),
    ]) {
      expect([misplaced.status, misplaced.body]).toMatchObject([403, { code: 'file.misplaced' }]);
    }
    expect((await upload(Buffer.from('x'), { ...forUser, type: 'text/plain' }, admin)).status).toBe(
      400,
    );
  });

  it('stores the file of a document', async () => {
    const forDocument = { relatedType: 'Document', field: 'file' };
    const fileId = await uploaded(Buffer.from('The terms.'), forDocument, admin);
    const account = recordIn(await admin.post('/Account', { name: unique('Party') })).id;
    const terms = { name: 'Terms', publishDate: '2030-01-31', accountsIds: [account] };
    const made = recordIn(await admin.post('/Document', { ...terms, fileId }));
    expect(made).toMatchObject({ status: 'Active', fileName: 'a.txt' });
    const linked = listIn(await admin.get(`/Account/${account}/documents`)).list;
    expect(linked.map(({ id }) => id)).toEqual([made.id]);
    const missing = await admin.post('/Document', terms);
    expect(missing.body).toMatchObject({ errors: [{ field: 'file', type: 'required' }] });
  });

  it('names the record of an attachment for readers of that record', async () => {
    const scanOf = { relatedType: 'Paper', field: 'scan' };
    const scan = await uploaded(Buffer.from('scan'), scanOf);
    const copy = await uploaded(Buffer.from('copy'), { parentType: 'Paper', field: 'copies' });
    expect((await api.get(`/Attachment/${scan}`)).body).toMatchObject({ relatedId: null });
    const files = { scanId: scan, copiesIds: [copy] };
    const paper = recordIn(await api.post('/Paper', { name: 'Held', ...files })).id;
    const related = { relatedType: 'Paper', relatedId: paper, relatedName: 'Held' };
    const parent = { parentType: 'Paper', parentId: paper, parentName: 'Held' };
    for (const client of [api, admin]) {
      const [one, many] = [
        await client.get(`/Attachment/${scan}`),
        await client.get(`/Attachment/${copy}`),
      ];
      expect(one.body).toMatchObject({ ...related, parentId: null });
      expect(many.body).toMatchObject({ ...parent, relatedId: null });
      const { list } = listIn(await client.get('/Attachment?maxSize=20'));
      expect(list.find(({ id }) => id === scan)).toMatchObject(related);
      expect(list.find(({ id }) => id === copy)).toMatchObject(parent);
    }
    const theirs = await makeUser({ Paper: all });
    const own = await uploaded(Buffer.from('own'), scanOf, theirs.client);
    const made = recordIn(await theirs.client.post('/Paper', { name: 'Theirs', scanId: own })).id;
    expect((await theirs.client.get(`/Attachment/${own}`)).body).toMatchObject({ relatedId: made });
    const fieldData = { Paper: { scan: { read: 'no', edit: 'no' } } };
    const closed = { name: unique('closed'), data: { Paper: all }, fieldData };
    const rolesIds = [recordIn(await admin.post('/Role', closed)).id];
    expect((await admin.put(`/User/${theirs.id}`, { rolesIds })).status).toBe(200);
    await eventually(async () => {
      const read = await theirs.client.get(`/Attachment/${own}`);
      expect(read.body).toMatchObject({ relatedId: null, relatedName: null });
    });
  });

  it('releases a replaced file and hides it until a record contains it again', async () => {
    const scanOf = { relatedType: 'Paper', field: 'scan' };
    const first = await uploaded(Buffer.from('first'), scanOf);
    const second = await uploaded(Buffer.from('second'), scanOf);
    const copy = await uploaded(Buffer.from('copy'), { parentType: 'Paper', field: 'copies' });
    const files = { scanId: first, copiesIds: [copy] };
    const { id } = recordIn(await api.post('/Paper', { name: 'P', ...files }));
    expect((await api.put(`/Paper/${id}`, { scanId: second, copiesIds: [] })).status).toBe(200);
    for (const client of [api, admin]) {
      expect((await client.get(`/Attachment/${first}`)).status).toBe(404);
      expect((await client.get(`/Attachment/${copy}`)).status).toBe(404);
      const listed = listIn(await client.get('/Attachment?maxSize=20')).list.map((file) => file.id);
      expect(listed).toContain(second);
      expect(listed).not.toContain(first);
      expect(listed).not.toContain(copy);
    }
    expect(await statusOf(first, apiKey)).toBe(404);
    expect((await api.put(`/Paper/${id}`, { scanId: first })).status).toBe(200);
    expect(await statusOf(first, apiKey)).toBe(200);
    expect(await statusOf(second, apiKey)).toBe(404);
    expect((await api.put(`/Paper/${id}`, { scanId: null })).status).toBe(200);
    expect(await statusOf(first, apiKey)).toBe(404);
  });

  it('accepts only files that its writer uploaded for this field', async () => {
    const elsewhere = await uploaded(Buffer.from('1'));
    const wrong = await api.post('/Paper', { name: 'P', scanId: elsewhere });
    expect([wrong.status, Object(wrong.body)['code']]).toEqual([403, 'file.misplaced']);
    const gone = await api.post('/Case', { name: 'C', attachmentsIds: ['0'.repeat(17)] });
    expect([gone.status, Object(gone.body)['code']]).toEqual([403, 'link.non_existing']);
    const other = await makeUser({ Case: all });
    const theirs = await uploaded(Buffer.from('t'), {}, other.client);
    const taken = await api.post('/Case', { name: 'C', attachmentsIds: [theirs] });
    expect([taken.status, Object(taken.body)['code']]).toEqual([403, 'link.forbidden']);
    const copies = await Promise.all(
      ['1', '2', '3'].map((text) =>
        uploaded(Buffer.from(text), { parentType: 'Paper', field: 'copies' }),
      ),
    );
    const many = await api.post('/Paper', { name: 'P', copiesIds: copies });
    expect(many.body).toMatchObject({ errors: [{ field: 'copies', type: 'maxCount' }] });
  });

  it('keeps the files of other users when a user adds one', async () => {
    const mine = await uploaded(Buffer.from('m'));
    const { id } = recordIn(await api.post('/Case', { name: 'C', attachmentsIds: [mine] }));
    const other = await makeUser({ Case: all });
    const added = await uploaded(Buffer.from('a'), {}, other.client);
    const changed = await other.client.put(`/Case/${id}`, { attachmentsIds: [mine, added] });
    expect(recordIn(changed)['attachmentsNames']).toEqual({ [mine]: 'a.txt', [added]: 'a.txt' });
    const moved = await other.client.post('/Case', { name: 'D', attachmentsIds: [mine] });
    expect(moved.status).toBe(403);
  });

  it('ignores hashes and sizes that a client sends', async () => {
    const secret = recordIn(await upload(Buffer.from('secret')));
    const other = await makeUser({ Case: all });
    const body = { name: 'x', sha256: secret['sha256'], size: 6, file: 'data:;base64,aGk=' };
    const forged = recordIn(await other.client.post('/Attachment', { ...body, ...forCase }));
    expect((await download(forged.id, {}, other.key)).bytes.toString()).toBe('hi');
    const changed = await other.client.put(`/Attachment/${forged.id}`, body);
    expect(recordIn(changed)['sha256']).toBe(forged['sha256']);
    expect(await statusOf(secret.id, other.key)).toBe(403);
  });
});

describe('the bytes of a file', () => {
  it('can be read by the uploader and by users who may read the record and the field', async () => {
    const id = await uploaded(Buffer.from('x'));
    const reader = await makeUser({ Case: { read: 'all' } });
    const closed = { Case: { attachments: { read: 'no', edit: 'no' } } };
    const halfReader = await makeUser({ Case: { read: 'all' } }, { fieldData: closed });
    const stranger = await makeUser({ Case: { read: 'own' }, Account: all });
    const statuses = async () =>
      Promise.all([reader, halfReader, stranger].map(({ key }) => statusOf(id, key)));
    expect(await statuses()).toEqual([403, 403, 403]);
    const made = recordIn(await api.post('/Case', { name: 'Holder', attachmentsIds: [id] }));
    expect(await statuses()).toEqual([200, 403, 403]);
    expect((await reader.client.get(`/Attachment/${id}`)).status).toBe(200);
    expect((await stranger.client.get(`/Attachment/${id}`)).status).toBe(403);
    expect(listIn(await stranger.client.get('/Attachment')).total).toBe(0);
    await api.put(`/Case/${made.id}`, { attachmentsIds: [] });
    expect(await statuses()).toEqual([403, 403, 403]);
    await api.put(`/Case/${made.id}`, { attachmentsIds: [id] });
    await api.delete(`/Case/${made.id}`);
    expect(await statuses()).toEqual([403, 403, 403]);
    expect(await statusOf(id, apiKey)).toBe(200);
    await api.delete(`/Attachment/${id}`);
    expect(await statusOf(id, apiKey)).toBe(404);
  });

  it('can be read by users with access to the stream of the post that contains the file', async () => {
    const { id: parentId } = recordIn(await api.post('/Case', { name: 'Posted' }));
    const file = await uploaded(Buffer.from('p'), { parentType: 'Note' });
    const post = { type: 'Post', parentType: 'Case', parentId, post: 'see' };
    const note = recordIn(await api.post('/Note', { ...post, attachmentsIds: [file] }));
    expect(note).toMatchObject({ attachmentsNames: { [file]: 'a.txt' } });
    const { list } = listIn(await api.get(`/Case/${parentId}/posts`));
    expect(list[0]).toMatchObject({
      attachmentsIds: [file],
      attachmentsNames: { [file]: 'a.txt' },
      attachmentsTypes: { [file]: 'text/plain' },
    });
    const another = await uploaded(Buffer.from('q'), { parentType: 'Note' });
    const alone = { type: 'Post', parentType: 'Case', parentId };
    const silent = recordIn(await api.post('/Note', { ...alone, attachmentsIds: [another] }));
    expect(silent).toMatchObject({ post: null, attachmentsIds: [another] });
    const nothing = await api.post('/Note', { ...alone, attachmentsIds: [] });
    expect(nothing.body).toMatchObject({ errors: [{ field: 'post', type: 'required' }] });
    const reader = await makeUser({ Case: { read: 'all' } });
    const deaf = await makeUser({ Case: { read: 'all', stream: 'no' } });
    expect(await statusOf(file, reader.key)).toBe(200);
    expect(await statusOf(file, deaf.key)).toBe(403);
    const path = `/Case/${parentId}/streamAttachments`;
    const found = listIn(await reader.client.get(`${path}?orderBy=createdAt&order=asc`));
    expect(found).toMatchObject({ total: 2, list: [{ id: file }, { id: another }] });
    expect((await deaf.client.get(path)).status).toBe(403);
    await api.delete(`/Note/${silent['id']}`);
    expect(listIn(await api.get(path))).toMatchObject({ total: 1, list: [{ id: file }] });
  });

  it('survive a kill of all processes and are restored when Postgres loses them', async () => {
    const content = randomBytes(2 * MIB + 1);
    const id = await uploaded(content);
    for (const name of ['api', 'api2', 'projector']) product.kill(name);
    for (const name of ['api', 'api2', 'projector']) await product.waitUntilReady(name);
    expect((await download(id)).bytes.equals(content)).toBe(true);
    await withClient(product.access().postgres.url, async (client) => {
      await client.query('drop schema annals_files cascade');
    });
    await eventually(async () => expect((await download(id)).bytes.equals(content)).toBe(true), {
      timeoutMs: 60_000,
    });
  });

  it('are complete despite partial chunks from an earlier crash', async () => {
    const content = randomBytes(1000);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const address = toKafkaAddress(product.access().kafka, 'files-test');
    const kafka = createKafkaConnection(address, pino({ level: 'silent' }));
    const topic = `${topicPrefix}.files`;
    const partition = partitionOf(sha256, await kafka.partitionsOf(topic));
    const half = { sha256, size: content.length, start: 0, content: content.subarray(0, 400) };
    await createAppendMessages(kafka)(topic, partition, [
      { key: sha256, value: encodeFileChunk(half) },
      { key: sha256, value: Buffer.from('no chunk at all') },
    ]);
    await kafka.close();
    const id = await uploaded(content);
    expect((await download(id)).bytes.equals(content)).toBe(true);
  });

  it('are never written to the records log', async () => {
    const marker = `marker${'x'.repeat(40)}`;
    const id = await uploaded(Buffer.from(marker));
    const { text } = await api.get(`/Attachment/${id}/history`);
    const encoded = Buffer.from(marker).toString('base64');
    expect(text).not.toContain(encoded.slice(4, 30));
    const reader = createLogReader(product.access().kafka);
    const messages = (await reader.messages(`${topicPrefix}.records`)).flat();
    await reader.close();
    expect(messages.length).toBeGreaterThan(10);
    for (const { value } of messages) {
      expect(value?.includes(marker)).toBe(false);
      expect(value?.includes(encoded)).toBe(false);
    }
  });
});

describe('uploads of a hostile user', () => {
  /** Announces a large file and sends one byte of it. Resolves with the response. */
  async function stall(key: string): Promise<string> {
    const { hostname, port } = new URL(product.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
      if (answer.includes('\r\n\r\n')) socket.destroy();
    });
    const head = ['POST /api/v1/Attachment HTTP/1.1', 'Host: x', `X-Api-Key: ${key}`];
    const body = ['Content-Type: application/json', 'Content-Length: 2000000', '', '{'];
    socket.write([...head, ...body].join('\r\n'));
    await once(socket, 'close');
    return answer.split('\r\n', 1)[0] ?? '';
  }

  it('time out with 408 and leave capacity for uploads of other users', async () => {
    const hostile = await makeUser({ Case: all });
    const stalled = Array.from({ length: 8 }, () => stall(hostile.key));
    for (let count = 0; count < 3; count += 1) {
      const answer = await upload(randomBytes(1.5 * MIB));
      expect(answer.status, answer.text).toBe(200);
    }
    // Each api processes two at a time, each for five seconds.
    expect(new Set(await Promise.all(stalled))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
  });

  it('are rejected before the body is read if no role grants access to a file field', async () => {
    const { key } = await makeUser({});
    expect(await stall(key)).toBe('HTTP/1.1 403 Forbidden');
  });

  it('are rejected while files without a record exceed the quota', async () => {
    const { client } = await makeUser({ Case: all });
    const ids: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      ids.push(await uploaded(randomBytes(3 * MIB - 17), {}, client));
    }
    const refused = await upload(Buffer.from('x'), {}, client);
    expect(refused).toMatchObject({ status: 413, body: { code: 'file.quota' } });
    const made = await client.post('/Case', { name: unique('c'), attachmentsIds: ids });
    expect(made.status, made.text).toBe(200);
    expect((await upload(Buffer.from('x'), {}, client)).status).toBe(200);
    const { id } = recordIn(made);
    expect((await client.put(`/Case/${id}`, { attachmentsIds: [] })).status).toBe(200);
    expect((await upload(Buffer.from('x'), {}, client)).status).toBe(200);
  });
});
