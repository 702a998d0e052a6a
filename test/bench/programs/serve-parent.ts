import type { Reply } from '../start-program.ts';

/** The child side of `startProgram`. The process exits when its parent disconnects. */
export function serveParent<Request>(answer: (request: Request) => Promise<unknown>): void {
  process.on('message', ({ request }: { readonly request: Request }) => {
    void reply(() => answer(request));
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
