import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { readEnv } from '../../shared/config/env.ts';
import { readFileStoreSettings } from '../../shared/config/file-store-settings.ts';
import { liveTable } from '../../shared/db/tables/read-model-names.ts';
import { StorageLow, Unavailable } from '../../shared/domain/errors.ts';
import { createDirectoryStore } from '../../shared/files/directory-store.ts';
import { openFileStore } from '../../shared/files/open-file-store.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { withPassword } from '../support/credentials.ts';
import { aStoredFile, describeFileStore } from '../support/describe-file-store.ts';
import { findDiskObstacle, mountDiskImage } from '../support/disk-image.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import {
  provideS3Server,
  type S3Server,
  startS3Server,
} from '../support/harness/start-s3-server.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { createLogReader } from '../support/log/log-reader.ts';
import { administratorHeaders } from '../support/upload-file.ts';

const MIB = 1024 * 1024;
const places = makeTestDirectory();
const provided = await provideS3Server();
const obstacle = 'obstacle' in provided ? provided.obstacle : undefined;
let s3: S3Server | undefined;

beforeAll(async () => {
  if ('obstacle' in provided) return;
  const directory = join(places, 's3');
  mkdirSync(directory);
  s3 = await startS3Server(provided.path, directory);
});
afterAll(async () => {
  await s3?.stop();
  rmSync(places, { recursive: true, force: true });
});

function requireS3(): S3Server {
  if (s3 === undefined) throw new Error('the S3 server is not running');
  return s3;
}

async function openBucket(environment: NodeJS.ProcessEnv) {
  const store = await openFileStore(readFileStoreSettings(readEnv(environment)));
  if (store === undefined) throw new Error('no store is set');
  return store;
}

describe.skipIf(obstacle !== undefined)(`an S3 server${becauseOf(obstacle)}`, () => {
  const bucket = 'annals-suite';
  beforeAll(async () => requireS3().createBucket(bucket));
  describeFileStore('with a bucket', async () => openBucket(requireS3().environment(bucket)));

  it('reports a bucket that does not exist, and wrong credentials', async () => {
    const missing = await openBucket(requireS3().environment('annals-missing'));
    const wrong = await openBucket({
      ...requireS3().environment(bucket),
      FILES_SECRET_ACCESS_KEY: 'wrong',
    });
    for (const [store, remedy] of [
      [missing, /bucket does not exist/],
      [wrong, /FILES_SECRET_ACCESS_KEY/],
    ] as const) {
      const error = await store.put(aStoredFile(3)).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(Unavailable);
      expect((error as Unavailable).remedy).toMatch(remedy);
    }
    await expect(missing.sizeOf(aStoredFile(3).sha256)).rejects.toThrow(Unavailable);
  });

  it('deletes old parts of uploads that were killed', async () => {
    const store = await openBucket(requireS3().environment(bucket));
    await store.deleteRemains(Date.now() - 60_000);
  });
});

const diskObstacle = findDiskObstacle();

it.skipIf(diskObstacle !== undefined)(
  `a full directory keeps its files and rejects new ones${becauseOf(diskObstacle)}`,
  async () => {
    const disk = mountDiskImage({ megabytes: 32 });
    try {
      const store = createDirectoryStore(disk.path);
      const small = aStoredFile(3);
      await store.put(small);
      const large = aStoredFile(48 * MIB);
      await expect(store.put(large)).rejects.toThrow(StorageLow);
      expect(await store.sizeOf(large.sha256)).toBeUndefined();
      expect(readdirSync(join(disk.path, 'tmp'))).toEqual([]);
      await store.put(aStoredFile(4));
      expect(await store.sizeOf(small.sha256)).toBe(3);
    } finally {
      disk.remove();
    }
  },
);

const forCase = { parentType: 'Case', field: 'attachments' };

interface Sent {
  readonly content: Buffer;
  readonly fields?: Readonly<Record<string, string>>;
}

/** A client of a product, with uploads in multipart and downloads of bytes. */
function clientOf({ url, access }: StartedProduct) {
  const { Authorization: authorization = '' } = administratorHeaders({ access });
  return {
    async upload({ content, fields = {} }: Sent) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...forCase, ...fields })) form.set(name, value);
      form.set('file', new Blob([content], { type: 'a/b' }), 'scan.bin');
      const headers = { authorization };
      const init = { method: 'POST', headers, body: form };
      const answer = await fetch(`${url}/api/v1/Attachment`, init);
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    },
    async download(id: string, headers: Readonly<Record<string, string>> = {}, query = '') {
      const init = { headers: { authorization, ...headers }, redirect: 'manual' as const };
      const answer = await fetch(`${url}/api/v1/Attachment/file/${id}${query}`, init);
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
    },
    authorization,
  };
}

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

async function messagesOf(product: StartedProduct, topic: string) {
  const reader = createLogReader(product.access().kafka);
  const messages = (await reader.messages(topic)).flat();
  await reader.close();
  return messages;
}

describe('with a directory as file store', () => {
  const directory = join(places, 'files');
  const topicPrefix = `store-${process.pid}-${Date.now()}`;
  let product: StartedProduct;
  let admin: ApiClient;
  let client: ReturnType<typeof clientOf>;
  const pathOf = (sha256: string) => join(directory, 'files', sha256.slice(0, 2), sha256);

  beforeAll(async () => {
    mkdirSync(directory);
    product = await startProduct({
      env: {
        ANNALS_TOPIC_PREFIX: topicPrefix,
        ANNALS_API_INSTANCES: '2',
        API_UPLOAD_UNATTACHED_LIMIT: '2000',
        FILES_STORE: `file://${directory}`,
      },
    });
    admin = createApiClient(product.url, withPassword(product.access().admin));
    client = clientOf(product);
  });
  afterAll(async () => {
    admin?.close();
    await product?.remove();
  });

  const countAttachments = async () => {
    const answer = await admin.get('/Attachment?maxSize=1');
    return listIn(answer).total;
  };

  it('stores uploads in base64 and in multipart there, and nothing in the log', async () => {
    const small = Buffer.from('hi');
    const base64 = await admin.post('/Attachment', {
      ...{ name: 'a.txt', type: 'text/plain', role: 'Attachment', ...forCase },
      file: `data:text/plain;base64,${small.toString('base64')}`,
    });
    expect(base64.status, base64.text).toBe(200);
    const large = randomBytes(33 * MIB + 5);
    const { status, body } = await client.upload({ content: large });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ name: 'scan.bin', type: 'a/b', size: large.length, ...forCase },
      sha256: sha256Of(large),
    });
    expect(readFileSync(pathOf(sha256Of(small))).equals(small)).toBe(true);
    expect(readFileSync(pathOf(sha256Of(large))).equals(large)).toBe(true);
    expect(await messagesOf(product, `${topicPrefix}.files`)).toEqual([]);
    expect((await client.download(recordIn(base64).id)).bytes.equals(small)).toBe(true);
    const { answer, bytes } = await client.download(body.id);
    expect(bytes.equals(large)).toBe(true);
    expect(answer.headers.get('etag')).toBe(`"${sha256Of(large)}"`);
    const part = await client.download(body.id, { range: 'bytes=33000000-33000009' });
    expect(part.answer.status).toBe(206);
    expect(part.bytes.equals(large.subarray(33_000_000, 33_000_010))).toBe(true);
    // A directory has no addresses for clients.
    expect((await client.download(body.id, {}, '?redirect=1')).bytes.equals(large)).toBe(true);
  });

  it('rejects an upload above the limit, without a file, or for no field', async () => {
    const before = await countAttachments();
    const tooLarge = await client.upload({ content: Buffer.alloc(101 * MIB) });
    expect(tooLarge).toMatchObject({ status: 413, body: { code: 'file.too_large' } });
    const nowhere = await client.upload({
      content: Buffer.from('x'),
      fields: { field: 'nothing' },
    });
    expect(nowhere).toMatchObject({ status: 400, body: { code: 'file.invalid' } });
    const form = new FormData();
    form.set('name', 'x');
    const answer = await fetch(`${product.url}/api/v1/Attachment`, {
      method: 'POST',
      headers: { authorization: client.authorization },
      body: form,
    });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      400,
      'file.invalid',
    ]);
    expect(await countAttachments()).toBe(before);
  });

  it('stores nothing of an upload that breaks off', async () => {
    const before = await countAttachments();
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
    const head = [
      'POST /api/v1/Attachment HTTP/1.1',
      'Host: x',
      `Authorization: ${client.authorization}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 5000000',
      '',
      '--b',
      'Content-Disposition: form-data; name="file"; filename="a"',
      '',
      'x'.repeat(1_000_000),
    ];
    socket.write(head.join('\r\n'));
    await once(socket, 'drain');
    socket.destroy();
    // Ends in the middle, but completely for HTTP.
    const cut = await fetch(`${product.url}/api/v1/Attachment`, {
      method: 'POST',
      headers: {
        authorization: client.authorization,
        'content-type': 'multipart/form-data; boundary=b',
      },
      body: '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
    });
    expect([cut.status, ((await cut.json()) as { code: string }).code]).toEqual([
      400,
      'file.invalid',
    ]);
    expect(await countAttachments()).toBe(before);
    expect(readdirSync(join(directory, 'tmp'))).toEqual([]);
  });

  it('keeps one copy of bytes that are uploaded to both apis together', async () => {
    const content = randomBytes(3 * MIB);
    const uploads = Array.from({ length: 2 }, () => client.upload({ content }));
    const answers = await Promise.all(uploads);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(readFileSync(pathOf(sha256Of(content))).equals(content)).toBe(true);
    for (const { body } of answers)
      expect((await client.download(body.id)).bytes.equals(content)).toBe(true);
  });

  it('returns 503 and writes nothing while the store is away, and recovers', async () => {
    const kept = await client.upload({ content: randomBytes(100_000) });
    const before = await countAttachments();
    renameSync(directory, `${directory}-away`);
    try {
      const answer = await client.upload({ content: randomBytes(10) });
      expect(answer).toMatchObject({ status: 503, body: { code: 'service.unavailable' } });
      expect((await client.download(kept.body.id)).answer.status).toBe(503);
      expect(await countAttachments()).toBe(before);
      const findings = (await admin.get('/System/doctor')).body as { findings: { code: string }[] };
      expect(findings.findings.map(({ code }) => code)).toContain('files.storeAway');
      // Files that were uploaded within the last minute may not have reached Postgres.
      await withClient(product.access().postgres.url, async (connection) => {
        await connection.query(
          `update ${liveTable('Attachment')} set created_at = created_at - interval '1 hour'`,
        );
      });
      // An empty directory, for example below a file system that is not mounted, is not the store.
      mkdirSync(directory);
      product.kill('api');
      product.kill('api2');
      await product.waitUntilReady('api');
      await product.waitUntilReady('api2');
      await eventually(async () => {
        const wrong = await client.upload({ content: randomBytes(10) });
        expect([wrong.status, wrong.body.message]).toEqual([
          503,
          'The file store lacks the files of this installation.',
        ]);
      });
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
      renameSync(`${directory}-away`, directory);
    }
    expect((await client.upload({ content: randomBytes(10) })).status).toBe(200);
    expect((await client.download(kept.body.id)).answer.status).toBe(200);
  });

  it('rejects uploads into the store of another installation', async () => {
    const note = join(directory, 'notes', 'installation');
    const own = readFileSync(note);
    writeFileSync(note, 'another');
    try {
      product.kill('api');
      product.kill('api2');
      await product.waitUntilReady('api');
      await product.waitUntilReady('api2');
      await eventually(async () => {
        const answer = await client.upload({ content: randomBytes(10) });
        expect([answer.status, answer.body.message]).toEqual([
          503,
          'The file store belongs to another installation.',
        ]);
      });
    } finally {
      writeFileSync(note, own);
    }
    expect((await client.upload({ content: randomBytes(10) })).status).toBe(200);
  });

  it('never serves a whole file whose bytes differ from its hash', async () => {
    const content = randomBytes(2 * MIB);
    const { body } = await client.upload({ content });
    const changed = Buffer.from(content);
    changed[MIB] = (changed[MIB] ?? 0) ^ 1;
    writeFileSync(pathOf(body.sha256), changed);
    await expect(client.download(body.id)).rejects.toThrow();
    writeFileSync(pathOf(body.sha256), content.subarray(1));
    expect((await client.download(body.id)).answer.status).toBe(503);
    // Uploading the file again repairs it.
    await client.upload({ content });
    expect((await client.download(body.id)).bytes.equals(content)).toBe(true);
  });

  it('never shows a record without its bytes when apis are killed during uploads', async () => {
    const acknowledged: { id: string; sha256: string }[] = [];
    for (let round = 0; round < 4; round += 1) {
      const uploads = Array.from({ length: 6 }, async () => {
        const content = randomBytes(2 * MIB);
        const answer = await client.upload({ content }).catch(() => undefined);
        if (answer?.status === 200) acknowledged.push(answer.body);
      });
      setTimeout(() => product.kill(round % 2 === 0 ? 'api' : 'api2'), 20 + 40 * round);
      await Promise.all(uploads);
      await product.waitUntilReady('api');
      await product.waitUntilReady('api2');
    }
    const { list } = listIn(await admin.get('/Attachment?maxSize=200&select=id,sha256,size'));
    expect(list.length).toBeGreaterThanOrEqual(acknowledged.length);
    for (const { id } of list) {
      const { answer, bytes } = await client.download(String(id));
      expect(answer.headers.get('etag')).toBe(`"${sha256Of(bytes)}"`);
    }
  });
});
