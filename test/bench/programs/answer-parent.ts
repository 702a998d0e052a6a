import type { Reply } from '../start-program.ts';

/** The child side of `startProgram`. The process exits when its parent disconnects. */
export function answerParent<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on('message', ({ question }: { readonly question: Question }) => {
    void reply(() => answer(question));
  });
  process.once('disconnect', () => process.exit(0));
}

async function reply(answer: () => Promise<unknown>): Promise<void> {
  send(
    await answer().then(
      (value): Reply => ({ answer: value }),
      (error: unknown): Reply => ({
        failure: error instanceof Error ? String(error.stack) : String(error),
      }),
    ),
  );
}

function send(message: Reply): void {
  process.send?.(message);
}
