import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { Refusal } from '../../../shared/domain/errors.ts';
import { receiveUpload } from './receive-upload.ts';

const MIB = 1024 * 1024;
const headers = { 'content-type': 'multipart/form-data; boundary=b' };
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: a/b\r\n\r\n';
const end = '\r\n--b--\r\n';

const receive = (pieces: readonly (Buffer | string)[], maxBytes = MIB) =>
  receiveUpload(Readable.from(pieces.map((piece) => Buffer.from(piece))), { headers, maxBytes });

const temporaryFiles = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('annals-upload-'));
const before = temporaryFiles();

async function bytesOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Readable.from(pieces).toArray());
}

it('returns the texts and the file, which can be read repeatedly', async () => {
  const content = randomBytes(900_000);
  const { fields, fileName, type, file } = await receive([
    part('parentType', 'Case'),
    fileHead,
    content.subarray(0, 100_000),
    content.subarray(100_000),
    '\r\n',
    part('field', 'attachments'),
    '--b--\r\n',
  ]);
  expect(fields).toEqual({ parentType: 'Case', field: 'attachments' });
  expect([fileName, type, file.size]).toEqual(['a.bin', 'a/b', content.length]);
  expect(file.sha256).toBe(createHash('sha256').update(content).digest('hex'));
  for (const _ of [1, 2]) expect((await bytesOf(file.read())).equals(content)).toBe(true);
  await file.close();
});

it('accepts an empty file, and ignores further files', async () => {
  const { file } = await receive([fileHead, '\r\n', fileHead.replace('a.bin', 'b.bin'), 'x', end]);
  expect(file.size).toBe(0);
  await file.close();
});

it.each<[string, readonly (Buffer | string)[], string]>([
  ['has no file', [part('field', 'x'), '--b--\r\n'], 'file.invalid'],
  ['ends within the file', [fileHead, 'half'], 'file.invalid'],
  [
    'ends within a text',
    ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx'],
    'file.invalid',
  ],
  ['is not a form', ['{}'], 'file.invalid'],
  ['is too large', [fileHead, Buffer.alloc(MIB), 'x', end], 'file.too_large'],
])('rejects a body that %s', async (_, pieces, code) => {
  const error = await receive(pieces).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Refusal);
  expect((error as Refusal).code).toBe(code);
});

it('rejects a body without a boundary', async () => {
  const input = { headers: { 'content-type': 'multipart/form-data' }, maxBytes: MIB };
  await expect(receiveUpload(Readable.from([]), input)).rejects.toThrow(Refusal);
});

it('ends when the connection breaks, and passes on a refusal of the pace', async () => {
  const tooSlow = new Refusal('too_slow', 'request.too_slow', 'slow');
  for (const [reason, code] of [
    [undefined, 'file.invalid'],
    [tooSlow, 'request.too_slow'],
  ] as const) {
    const body = new PassThrough();
    const receiving = receiveUpload(body, { headers, maxBytes: MIB }).catch(
      (caught: unknown) => caught,
    );
    body.write(fileHead);
    body.write('some bytes');
    setImmediate(() => body.destroy(reason));
    expect(await receiving).toMatchObject({ code });
  }
});

it('leaves no temporary file', () => {
  expect(temporaryFiles()).toEqual(before);
});
