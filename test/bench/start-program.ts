import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { BenchContext } from './bench.ts';

/** A program of the folder `programs` that runs in its own process and handles one request after the other. */
export interface Program<Request, Answer> {
  readonly pid: number;
  send(request: Request): Promise<Answer>;
  stop(): Promise<void>;
}

export type Reply =
  | { readonly answer: unknown }
  /** The stack of the error. */
  | { readonly failure: string };

/** Starts the program, which stops at the end of the bench at the latest. */
export function startProgram<Request, Answer>(
  context: BenchContext,
  file: string,
): Program<Request, Answer> {
  const child = fork(join(import.meta.dirname, 'programs', file), {
    serialization: 'advanced',
    // A separate session, like services have: on a busy machine Linux distributes processor time by session.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const ended = exited.then((code): Reply => ({ failure: `${file} exited with code ${code}` }));
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await exited;
  };
  context.opened(stop);

  return {
    pid: child.pid ?? 0,
    async send(request) {
      const answered = new Promise<Reply>((resolve) => {
        child.once('message', (reply: Reply) => resolve(reply));
      });
      child.send({ request });
      const reply = await Promise.race([answered, ended]);
      if ('failure' in reply) throw new Error(reply.failure);
      return reply.answer as Answer;
    },
    stop,
  };
}
