import { expect, it } from 'vitest';
import { ConfigurationError, readEnv } from './env.ts';
import { readFileStoreSettings } from './file-store-settings.ts';

function settings(env: Readonly<Record<string, string>>) {
  const read = readEnv(env);
  const found = readFileStoreSettings(read);
  read.done();
  return found;
}

it('stores files in the log by default, even with credentials of a bucket', () => {
  expect(settings({})).toBeUndefined();
  expect(settings({ FILES_ENDPOINT: 'http://127.0.0.1:7070' })).toBeUndefined();
});

it('reads a directory', () => {
  expect(settings({ FILES_STORE: 'file:///srv/annals%20files' })).toEqual({
    kind: 'directory',
    directory: '/srv/annals files',
  });
});

it('reads a bucket with and without a prefix', () => {
  const aws = { region: 'us-east-1', endpoint: undefined, credentials: undefined };
  expect(settings({ FILES_STORE: 's3://my-bucket' })).toEqual({
    ...aws,
    kind: 's3',
    bucket: 'my-bucket',
    prefix: '',
    encryption: undefined,
  });
  expect(
    settings({
      FILES_STORE: 's3://my-bucket/a/b/',
      FILES_ENDPOINT: 'http://127.0.0.1:7070',
      FILES_REGION: 'eu-1',
      FILES_ACCESS_KEY_ID: 'id',
      FILES_SECRET_ACCESS_KEY: 'secret',
      FILES_ENCRYPTION: 'aws:kms',
      FILES_KMS_KEY: 'key',
    }),
  ).toEqual({
    kind: 's3',
    bucket: 'my-bucket',
    prefix: 'a/b/',
    endpoint: 'http://127.0.0.1:7070',
    region: 'eu-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    encryption: { algorithm: 'aws:kms', keyId: 'key' },
  });
});

it.each([
  ['/srv/files', '/srv/files'],
  ['file://host/srv', 'file://host/srv'],
  ['https://bucket.example.com', 'https://bucket.example.com'],
  ['s3://My_Bucket', 's3://My_Bucket'],
  ['s3://id:secret@bucket', 's3://***@bucket'],
  ['s3://bucket/a b', 's3://bucket/a b'],
])('rejects the store %s without showing credentials', (store, shown) => {
  expect(() => settings({ FILES_STORE: store })).toThrow(
    new ConfigurationError([
      `FILES_STORE must be file:///directory or s3://bucket/prefix, got '${shown}'`,
    ]),
  );
});

it.each([
  [
    { FILES_ACCESS_KEY_ID: 'id' },
    'FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY belong together: set both or neither',
  ],
  [{ FILES_KMS_KEY: 'key' }, 'FILES_KMS_KEY requires FILES_ENCRYPTION=aws:kms'],
  [
    { FILES_ENDPOINT: 'localhost' },
    'FILES_ENDPOINT must be an address that starts with http:// or https://',
  ],
])('rejects the settings %o', (env, problem) => {
  expect(() => settings(env)).toThrow(new ConfigurationError([problem]));
});
