import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Settings } from '../config/file-store-settings.ts';
import { Unavailable } from '../domain/errors.ts';
import { checkedPieces, type Pieces } from './file-pieces.ts';
import { type ByteRange, type ExternalStore, isSha256, type StoreNotes } from './file-store.ts';
import { changedWhileStored, storeFull } from './store-failures.ts';

/** Larger files are uploaded in parts of this size. S3 accepts parts from 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Parts of a file that are sent at a time. Each one is in memory. */
const PARTS_AT_ONCE = 2;
const CONNECT_WITHIN_MS = 5_000;
/** The longest silence of the store during a request. */
const ANSWER_WITHIN_MS = 30_000;
const ATTEMPTS = 3;
const SIGNED_FOR_SECONDS = 60;

interface Bucket {
  readonly client: S3Client;
  readonly settings: S3Settings;
  /** For messages. */
  readonly name: string;
}

/**
 * Stores files in a bucket of S3 or a compatible server, under `files/` and their hash. S3 shows an object only when it
 * is complete.
 */
export function createS3Store(settings: S3Settings): ExternalStore {
  const client = createClient(settings);
  const name = `s3://${settings.bucket}/${settings.prefix}`;
  const bucket: Bucket = { client, settings, name };
  const ofFile = (sha256: string) => at(bucket, `files/${sha256}`);
  return {
    name,
    notes: createNotes(bucket),
    put: (file) => put(bucket, `files/${file.sha256}`, checkedPieces(file, changedWhileStored)),
    async sizeOf(sha256) {
      const head = client.send(new HeadObjectCommand(ofFile(sha256)));
      const found = await orFailure(name, head.catch(orMissing));
      if (found !== undefined) return found.ContentLength;
      // S3 returns the same status for a missing bucket.
      const ofBucket = client.send(new HeadBucketCommand({ Bucket: settings.bucket }));
      await orFailure(name, ofBucket.catch(withoutBucket));
      return undefined;
    },
    read: (sha256, range) => read(bucket, `files/${sha256}`, range),
    async delete(sha256) {
      await orFailure(name, client.send(new DeleteObjectCommand(ofFile(sha256))));
    },
    async *list() {
      for await (const { key, size, storedAt } of listKeys(bucket, 'files/'))
        if (isSha256(key)) yield { sha256: key, size, storedAt };
    },
    deleteRemains: (before) => deleteRemains(bucket, before),
    signUrl: async (sha256, { type, disposition }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...ofFile(sha256),
          ResponseContentType: type,
          ResponseContentDisposition: disposition,
          ResponseCacheControl: 'private, no-store',
        }),
        { expiresIn: SIGNED_FOR_SECONDS },
      ),
    close: () => client.destroy(),
  };
}

const at = ({ settings: { bucket, prefix } }: Bucket, key: string) => ({
  Bucket: bucket,
  Key: `${prefix}${key}`,
});

async function put(bucket: Bucket, key: string, pieces: Pieces): Promise<void> {
  const { client, settings, name } = bucket;
  const params = { ...at(bucket, key), ...encryptionOf(settings), Body: Readable.from(pieces) };
  const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE });
  await orFailure(name, upload.done());
}

async function* read(bucket: Bucket, key: string, { from, to }: ByteRange): AsyncGenerator<Buffer> {
  if (from >= to) return;
  const Range = `bytes=${from}-${to - 1}`;
  const stopping = new AbortController();
  try {
    const found = await bucket.client.send(new GetObjectCommand({ ...at(bucket, key), Range }), {
      abortSignal: stopping.signal,
    });
    for await (const piece of found.Body as Readable) yield piece;
  } catch (error) {
    throw toFailure(bucket.name, error);
  } finally {
    // A client that stopped reading must not leave the response open.
    stopping.abort();
  }
}

async function* listKeys({ client, settings, name }: Bucket, folder: string) {
  const Prefix = `${settings.prefix}${folder}`;
  let ContinuationToken: string | undefined;
  do {
    const input = { Bucket: settings.bucket, Prefix, ContinuationToken };
    const page = await orFailure(name, client.send(new ListObjectsV2Command(input)));
    for (const { Key = '', Size: size = 0, LastModified } of page.Contents ?? []) {
      const storedAt = LastModified?.getTime() ?? Date.now();
      yield { key: Key.slice(Prefix.length), size, storedAt };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

function createNotes(bucket: Bucket): StoreNotes {
  const { client, name } = bucket;
  const ofNote = (note: string) => at(bucket, `notes/${note}`);
  return {
    async read(note) {
      const get = client.send(new GetObjectCommand(ofNote(note)));
      const found = await orFailure(name, get.catch(orMissing));
      if (found === undefined) return undefined;
      return Buffer.concat(await orFailure(name, (found.Body as Readable).toArray()));
    },
    write: (note, content) => put(bucket, `notes/${note}`, [content]),
    async delete(note) {
      await orFailure(name, client.send(new DeleteObjectCommand(ofNote(note))));
    },
    async list() {
      const names: string[] = [];
      for await (const { key } of listKeys(bucket, 'notes/')) names.push(key);
      return names;
    },
  };
}

const MAX_CONNECTIONS = 2_000;

/** Aborts uploads in parts that a killed process has left behind. */
async function deleteRemains({ client, settings, name }: Bucket, before: number): Promise<void> {
  const { bucket: Bucket, prefix: Prefix } = settings;
  const listing = client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
  for (const { Key, UploadId, Initiated } of (await orFailure(name, listing)).Uploads ?? []) {
    if (Initiated === undefined || Initiated.getTime() >= before) continue;
    const abort = client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    await orFailure(name, abort.catch(orMissing));
  }
}

function createClient({ endpoint, region, credentials }: S3Settings): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    // Compatible servers reject the checksums that newer clients add by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_WITHIN_MS,
      socketTimeout: ANSWER_WITHIN_MS,
      // A download holds its connection for as long as its client reads, and must not delay other requests.
      httpAgent: { maxSockets: MAX_CONNECTIONS },
      httpsAgent: { maxSockets: MAX_CONNECTIONS },
    },
  });
}

function encryptionOf({ encryption }: S3Settings): Partial<PutObjectCommandInput> {
  if (encryption === undefined) return {};
  const { algorithm, keyId } = encryption;
  return {
    ServerSideEncryption: algorithm,
    ...(keyId === undefined ? {} : { SSEKMSKeyId: keyId }),
  };
}

interface S3Error {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Returns undefined for a missing object; rethrows other errors. */
function orMissing(error: unknown): undefined {
  const { name = '' } = error as S3Error;
  if (['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(name)) return undefined;
  throw error;
}

/** The response to HEAD has no body, so its error lacks the code. */
function withoutBucket(error: unknown): never {
  const { name, $metadata } = error as S3Error;
  if ($metadata?.httpStatusCode !== 404) throw error;
  throw Object.assign(new Error(`no bucket (${name})`), { name: 'NoSuchBucket', $metadata });
}

async function orFailure<Result>(name: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw toFailure(name, error);
  }
}

const full: ReadonlySet<string> = new Set([
  'InsufficientStorage',
  'QuotaExceeded',
  'QuotaExceededException',
  'StorageFull',
  'XMinioStorageFull',
]);

const remedies: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist: create it, or correct FILES_STORE',
  NoSuchKey: 'the bucket lacks the file: correct FILES_STORE, or restore the bucket',
  AccessDenied: 'grant s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket',
  Forbidden: 'grant s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket',
  InvalidAccessKeyId: 'correct FILES_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'correct FILES_SECRET_ACCESS_KEY',
  PermanentRedirect: 'correct FILES_REGION',
  AuthorizationHeaderMalformed: 'correct FILES_REGION',
  CredentialsProviderError: 'set FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY',
};

function toFailure(store: string, error: unknown): unknown {
  if (error instanceof Unavailable) return error;
  const { name = '', $metadata } = error as S3Error;
  if (full.has(name) || $metadata?.httpStatusCode === 507) return storeFull(error);
  const remedy = remedies[name];
  return new Unavailable('The file store is not available.', {
    cause: error,
    remedy: remedy === undefined ? undefined : `${store}: ${remedy}`,
  });
}
