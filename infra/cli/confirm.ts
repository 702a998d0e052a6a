import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../local/operator-error.ts';
import { UsageError } from './usage-error.ts';

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** Asks for confirmation at the terminal. Without a terminal, only --yes confirms. */
export async function confirm(
  question: string,
  { isYes, terminal }: { readonly isYes: boolean; readonly terminal: Terminal },
): Promise<void> {
  if (isYes) return;
  if (terminal.input.isTTY !== true) throw new UsageError(`${question} Confirm with --yes.`);
  const prompt = createInterface(terminal);
  try {
    const answer = await prompt.question(`${question} [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    prompt.close();
  }
  throw new OperatorError('Nothing was changed.');
}
