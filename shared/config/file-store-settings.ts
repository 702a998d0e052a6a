import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EnvReader } from './env.ts';

/** Where files are stored outside the log (docs/adr/0062). */
export type FileStoreSettings =
  | { readonly kind: 'directory'; readonly directory: string }
  | S3Settings;

export interface S3Settings {
  readonly kind: 's3';
  readonly bucket: string;
  /** Empty, or ends in a slash. */
  readonly prefix: string;
  /** The address of an S3-compatible server; undefined for AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Undefined to use the credentials of the environment, such as the role of a machine. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
  /** Server-side encryption that uploads request. */
  readonly encryption:
    | { readonly algorithm: 'AES256' | 'aws:kms'; readonly keyId: string | undefined }
    | undefined;
}

const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixForm = /^[\w.!'()/-]{0,200}$/;

/** Returns undefined if files are stored in the log. */
export function readFileStoreSettings(read: EnvReader): FileStoreSettings | undefined {
  const store = read.optionalText('FILES_STORE');
  const s3 = readS3(read);
  if (store === undefined) return undefined;
  const url = parsePlain(store);
  if (url?.protocol === 'file:' && url.host === '') {
    const directory = fileURLToPath(url);
    if (isAbsolute(directory)) return { kind: 'directory', directory };
  }
  const prefix = url?.pathname.replace(/^\/+|\/+$/g, '') ?? '';
  if (url?.protocol === 's3:' && bucketForm.test(url.host) && prefixForm.test(prefix)) {
    return { kind: 's3', bucket: url.host, prefix: prefix === '' ? '' : `${prefix}/`, ...s3 };
  }
  read.problem(
    `FILES_STORE must be file:///directory or s3://bucket/prefix, got '${withoutCredentials(store)}'`,
  );
  return undefined;
}

/** Returns undefined for addresses with a user, a query or a fragment, which would be ignored. */
function parsePlain(store: string): URL | undefined {
  const url = URL.parse(store);
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && !url.hash;
  return isPlain ? url : undefined;
}

/** A user or password in the address must not appear in a message. */
function withoutCredentials(store: string): string {
  return store.replace(/\/\/[^/]*@/, '//***@');
}

function readS3(read: EnvReader): Omit<S3Settings, 'kind' | 'bucket' | 'prefix'> {
  const endpoint = read.optionalText('FILES_ENDPOINT');
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    read.problem('FILES_ENDPOINT must be an address that starts with http:// or https://');
  }
  const region = read.text('FILES_REGION', 'us-east-1');
  const accessKeyId = read.optionalText('FILES_ACCESS_KEY_ID');
  const secretAccessKey = read.optionalSecret('FILES_SECRET_ACCESS_KEY');
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    read.problem(
      'FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY belong together: set both or neither',
    );
  }
  const algorithm = read.optionalChoice('FILES_ENCRYPTION', ['AES256', 'aws:kms'] as const);
  const keyId = read.optionalText('FILES_KMS_KEY');
  if (keyId !== undefined && algorithm !== 'aws:kms') {
    read.problem('FILES_KMS_KEY requires FILES_ENCRYPTION=aws:kms');
  }
  return {
    endpoint,
    region,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
    encryption: algorithm === undefined ? undefined : { algorithm, keyId },
  };
}
