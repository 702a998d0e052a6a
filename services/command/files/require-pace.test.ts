import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { requirePace } from './require-pace.ts';

/** In 50 ms: 16 KiB a second. */
const least = 820;
const windowMs = 50;

it('passes a body on that arrives quickly enough', async () => {
  const body = new PassThrough();
  const paced = text(requirePace(body, windowMs));
  for (let index = 0; index < 4; index += 1) {
    body.write('x'.repeat(10 * least));
    await sleep(windowMs / 2);
  }
  body.end('end');
  expect(await paced).toHaveLength(40 * least + 3);
});

it.each([
  ['sends one byte and nothing more', 1],
  ['sends a byte now and then', 5],
])('refuses a body of a client that %s', async (_what, bytes) => {
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

it('ends with a client that goes away', async () => {
  const body = new PassThrough();
  const paced = text(requirePace(body, windowMs));
  const failed = expect(paced).rejects.toThrow('gone');
  body.destroy(new Error('gone'));
  await failed;
});
