import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { confirm } from './confirm.ts';
import { UsageError } from './usage-error.ts';

function ask(answer: string, { isTTY = true, isYes = false } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  input.write(`${answer}\n`);
  const asked = confirm('Drop it?', { isYes, terminal: { input, output } });
  return { asked, shown: () => String(output.read() ?? '') };
}

it.each(['y', 'Yes', ' yes '])('goes on after %j on a terminal', async (answer) => {
  const { asked, shown } = ask(answer);
  await asked;
  expect(shown()).toContain('Drop it? [y/N]');
});

it.each(['', 'n', 'yesterday'])('stops after %j', async (answer) => {
  await expect(ask(answer).asked).rejects.toThrow('Nothing was changed.');
});

it('wants --yes where there is no terminal, and asks nothing with it', async () => {
  await expect(ask('y', { isTTY: false }).asked).rejects.toThrow(UsageError);
  const { asked, shown } = ask('', { isTTY: false, isYes: true });
  await asked;
  expect(shown()).toBe('');
});
