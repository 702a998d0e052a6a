import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { requirePace } from './require-pace.ts';

/** The minimum of 16 KiB per second, for a window of 50 ms. */
const minBytes = 820;
const windowMs = 50;

it('accepts a body that arrives fast enough', async () => {
  const body = new PassThrough();
  const paced = text(requirePace(body, windowMs));
  for (let index = 0; index < 4; index += 1) {
    body.write('x'.repeat(10 * minBytes));
    await sleep(windowMs / 2);
  }
  body.end('end');
  expect(await paced).toHaveLength(40 * minBytes + 3);
});

it.each([
  ['sends one byte and stops', 1],
  ['sends single bytes', 5],
])('rejects the body of a client that %s', async (_what, bytes) => {
  const body = new PassThrough();
  const paced = text(requirePace(body, windowMs));
  const refused = expect(paced).rejects.toMatchObject({ kind: 'too_slow' });
  for (let index = 0; index < bytes; index += 1) {
    body.write('x');
    await sleep(windowMs / 5);
  }
  await refused;
  expect(body.destroyed).toBe(false);
});

it('fails when the client disconnects', async () => {
  const body = new PassThrough();
  const paced = text(requirePace(body, windowMs));
  const failed = expect(paced).rejects.toThrow('gone');
  body.destroy(new Error('gone'));
  await failed;
});
