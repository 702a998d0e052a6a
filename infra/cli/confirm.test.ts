import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { confirm } from './confirm.ts';
import { UsageError } from './usage-error.ts';

function start(answer: string, { isTTY = true, isYes = false } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  input.write(`${answer}\n`);
  const confirmed = confirm('Drop it?', { isYes, terminal: { input, output } });
  return { confirmed, shown: () => String(output.read() ?? '') };
}

it.each(['y', 'Yes', ' yes '])('continues after the answer %j on a terminal', async (answer) => {
  const { confirmed, shown } = start(answer);
  await confirmed;
  expect(shown()).toContain('Drop it? [y/N]');
});

it.each(['', 'n', 'yesterday'])('stops after the answer %j', async (answer) => {
  await expect(start(answer).confirmed).rejects.toThrow('Nothing was changed.');
});

it('requires --yes without a terminal and skips the prompt if --yes is given', async () => {
  await expect(start('y', { isTTY: false }).confirmed).rejects.toThrow(UsageError);
  const { confirmed, shown } = start('', { isTTY: false, isYes: true });
  await confirmed;
  expect(shown()).toBe('');
});
