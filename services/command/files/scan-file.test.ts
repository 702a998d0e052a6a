import { expect, it } from 'vitest';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { createScanFile } from './scan-file.ts';

const MIB = 1024 * 1024;
const scan = (script: string, withinMs?: number) =>
  createScanFile([process.execPath, '-e', script], withinMs);
const readAll = `let text = ''; process.stdin.on('data', (chunk) => { text += chunk; });`;

it('accepts every file without a command', async () => {
  await createScanFile([])([Buffer.from('x')]);
});

it('accepts a file if the command ends with 0 after reading all of it', async () => {
  const script = `${readAll} process.stdin.on('end', () => process.exit(text.length === ${3 * MIB} ? 0 : 1));`;
  await scan(script)([Buffer.alloc(MIB, 'a'), Buffer.alloc(2 * MIB, 'b')]);
});

it('rejects a file as infected if the command ends with 1, even before it has read the file', async () => {
  for (const size of [1, 20 * MIB]) {
    await expect(scan('process.exit(1)')([Buffer.alloc(size)])).rejects.toThrow(
      expect.objectContaining({ code: 'file.infected' }),
    );
  }
  await expect(scan('process.exit(1)')([Buffer.alloc(1)])).rejects.toThrow(Refusal);
});

it.each([
  ['ends with another code', scan('console.error("no engine"); process.exit(2)')],
  ['does not exist', createScanFile(['/nowhere/scanner'])],
  ['takes too long', scan('setInterval(() => undefined, 1000)', 300)],
  ['is killed', scan('process.kill(process.pid, "SIGKILL")')],
])('returns 503 if the command %s', async (_, scanFile) => {
  await expect(scanFile([Buffer.from('x')])).rejects.toThrow(Unavailable);
});
