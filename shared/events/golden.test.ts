import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BackupEntry, decodeBackupEntry, encodeBackupEntry } from './backup-entry-codec.ts';
import { crc64Avro } from './crc64-avro.ts';
import { decodeFileChunk, encodeFileChunk, type FileChunk } from './file-chunk-codec.ts';
import { decodeLogEntry, encodeEvent, encodeFence } from './log-entry-codec.ts';
import { readVersions, type SchemaName, type SchemaVersions } from './schema-versions.ts';
import { loadSchema } from './single-object.ts';
import {
  decodeWebhookAttempt,
  encodeWebhookAttempt,
  type WebhookAttempt,
  type WebhookExchange,
} from './webhook-attempt-codec.ts';
import { decodeWebhookBatch, encodeWebhookBatch } from './webhook-batch-codec.ts';

interface GoldenFile {
  /** Name of the schema version. */
  readonly schema: string;
  /** Its Parsing Canonical Form, as written by fastavro (Python). */
  readonly canonicalForm: string;
  /** `C3 01` and the fingerprint computed by fastavro. */
  readonly header: string;
  readonly samples: readonly {
    readonly name: string;
    readonly value: never;
    readonly hex: string;
  }[];
}

interface Codec {
  readonly encode: (value: never, write?: SchemaVersions) => Buffer;
  readonly decode: (bytes: Buffer) => unknown;
}

/** Golden files store bytes as text. */
type GoldenChunk = Omit<FileChunk, 'content'> & { readonly content: string };
type GoldenEntry = Omit<BackupEntry, 'value' | 'headers'> & {
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
};
type GoldenAttempt = Omit<WebhookAttempt, 'exchange'> & {
  readonly exchange?: Omit<WebhookExchange, 'responseBody'> & { readonly responseBody: string };
};

function fromGolden({ exchange, ...attempt }: GoldenAttempt): WebhookAttempt {
  if (exchange === undefined) return attempt;
  const responseBody = Buffer.from(exchange.responseBody, 'utf8');
  return { ...attempt, exchange: { ...exchange, responseBody } };
}

function toGolden({ exchange, ...attempt }: WebhookAttempt): GoldenAttempt {
  if (exchange === undefined) return attempt;
  const responseBody = exchange.responseBody.toString('utf8');
  return { ...attempt, exchange: { ...exchange, responseBody } };
}

const logEntryOf = (bytes: Buffer): unknown => {
  const entry = decodeLogEntry(bytes);
  return entry.kind === 'fence' ? entry.fence : entry.event;
};

/** Keyed by message type. */
const codecs: Readonly<Record<string, Codec>> = {
  'backup-entry': {
    encode: ({ value, headers, ...entry }: GoldenEntry) =>
      encodeBackupEntry({
        ...entry,
        value: Buffer.from(value),
        headers: mapValues(headers, (text) => Buffer.from(text)),
      }),
    decode(bytes) {
      const { value, headers, ...entry } = decodeBackupEntry(bytes);
      return { ...entry, value: String(value), headers: mapValues(headers, String) };
    },
  },
  fence: { encode: encodeFence, decode: logEntryOf },
  'file-chunk': {
    encode: ({ content, ...chunk }: GoldenChunk, write) =>
      encodeFileChunk({ ...chunk, content: Buffer.from(content, 'utf8') }, write),
    decode(bytes) {
      const { content, ...chunk } = decodeFileChunk(bytes);
      return { ...chunk, content: content.toString('utf8') };
    },
  },
  'record-event': { encode: encodeEvent, decode: logEntryOf },
  'webhook-attempt': {
    encode: (value: GoldenAttempt, write) => encodeWebhookAttempt(fromGolden(value), write),
    decode: (bytes) => toGolden(decodeWebhookAttempt(bytes)),
  },
  'webhook-batch': { encode: encodeWebhookBatch, decode: decodeWebhookBatch },
};
/** Excludes backups, which are always written in the newest version. */
const hasChosenVersion = ({ schema }: { readonly schema: string }) =>
  !schema.startsWith('backup-entry');

function mapValues<From, To>(
  from: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)]));
}

const goldenDirectory = new URL('./golden/', import.meta.url);
const goldenFiles = readdirSync(goldenDirectory).map(
  (file): GoldenFile => JSON.parse(readFileSync(new URL(file, goldenDirectory), 'utf8')),
);
const samples = goldenFiles.flatMap(({ schema, samples: ofFile }) =>
  ofFile.map((sample) => ({ schema, ...sample })),
);

function isNewest(schema: string): boolean {
  const [name, version] = schema.split('.v');
  return readVersions[name as SchemaName] === Number(version);
}

function codecOf(schema: string): Codec {
  const codec = codecs[schema.replace(/[.]v\d+$/, '')];
  if (codec === undefined) throw new Error(`no codec reads the golden bytes of ${schema}`);
  return codec;
}

describe('golden bytes', () => {
  it('exist for every version of every schema', () => {
    const versions = readdirSync(new URL('./avro/', import.meta.url)).map((file) =>
      file.replace('.avsc', ''),
    );

    expect(goldenFiles.map(({ schema }) => schema).toSorted()).toEqual(versions.toSorted());
  });

  it.each(samples)('can still be decoded: $schema, $name', ({ schema, value, hex }) => {
    expect(codecOf(schema).decode(Buffer.from(hex, 'hex'))).toEqual(value);
  });

  it.each(samples.filter(hasChosenVersion))(
    'equal the encoding in their version: $schema, $name',
    ({ schema, value, hex }) => {
      const [name = '', version] = schema.split('.v');
      const write = { ...readVersions, [name]: Number(version) };
      expect(codecOf(schema).encode(value, write).toString('hex')).toBe(hex);
    },
  );

  it.each(samples.filter(({ schema }) => isNewest(schema)))(
    'equal the encoding in the newest version: $schema, $name',
    ({ schema, value, hex }) => {
      expect(codecOf(schema).encode(value, readVersions).toString('hex')).toBe(hex);
    },
  );

  it('use version 2 for events without an administrator', () => {
    const bytes = encodeEvent(eventWith('x'), { ...readVersions, 'record-event': 3 });
    expect(bytes).toEqual(encodeEvent(eventWith('x'), { ...readVersions, 'record-event': 2 }));
  });

  it('cannot be written in an unknown version', () => {
    const write = { ...readVersions, fence: readVersions.fence + 1 };
    const fence = samples.find(({ schema }) => schema === 'fence.v1');
    expect(() => codecOf('fence').encode(fence?.value as never, write)).toThrow('has no version');
  });

  it.each(goldenFiles)('have the fingerprint of $schema', ({ schema, canonicalForm, header }) => {
    const fingerprint = Buffer.from(header, 'hex').readBigUInt64LE(2);

    expect(crc64Avro(canonicalForm)).toBe(fingerprint);
    expect(loadSchema(schema).fingerprint).toBe(fingerprint);
    expect(loadSchema(schema).header.toString('hex')).toBe(header);
  });
});

describe('an encoded event', () => {
  it.each([
    0,
    -1,
    0.1,
    2 ** 31,
    -(2 ** 31) - 1,
    Number.MAX_SAFE_INTEGER - 1,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER + 1,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    -1.5e-300,
  ])('preserves the number %d', (number) => {
    const entry = decodeLogEntry(encodeEvent(eventWith(number)));

    expect(entry.kind === 'event' && entry.event.changes[0]?.after).toBe(number);
  });

  it.each(['', 'a\u0001b', '\u{1f642}', 'e\u0301', '\uffff', 'x'.repeat(100_000)])(
    'preserves text in case %#',
    (text) => {
      const entry = decodeLogEntry(encodeEvent(eventWith(text)));

      expect(entry.kind === 'event' && entry.event.changes[0]?.after).toBe(text);
    },
  );

  it.each([
    ['nothing', ''],
    ['text', Buffer.from('{"id":"1"}').toString('hex')],
    ['another magic number', 'c302903bc1002a855109'],
    ['an unknown fingerprint', 'c3010000000000000000'],
    ['a truncated body', 'c30112d128ad5f7a738302'],
  ])('cannot be decoded from %s', (_, hex) => {
    expect(() => decodeLogEntry(Buffer.from(hex, 'hex'))).toThrow(
      expect.objectContaining({ name: 'UnreadableMessage' }),
    );
  });
});

function eventWith(value: number | string): Parameters<typeof encodeEvent>[0] {
  return {
    eventId: '019b7a00-0000-7000-8000-000000000001',
    entityType: 'Account',
    recordId: '0123456789abcdef0',
    version: 1,
    type: 'Created',
    occurredAt: 1_767_225_600_000,
    actorId: 'admin',
    commandId: null,
    commandHash: null,
    correlationId: null,
    token: 'token',
    sequence: 1,
    access: { assignedUserId: null, createdById: null, teamIds: [] },
    changes: [{ attribute: 'name', before: null, after: value }],
  };
}
