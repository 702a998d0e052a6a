import { fork } from 'node:child_process';
import { join } from 'node:path';

/** A program of this folder that runs as a process of its own and answers one question after the other. */
export interface Program {
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

export type Reply =
  | { readonly answer: unknown }
  /** Stack of what was thrown. */
  | { readonly failure: string };

export function startProgram(file: string): Program {
  const child = fork(join(import.meta.dirname, file), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const ended = exited.then((code): Reply => ({ failure: `${file} ended with ${code}` }));

  return {
    async ask<Answer>(question: unknown) {
      const answered = new Promise<Reply>((resolve) => {
        child.once('message', (reply: Reply) => resolve(reply));
      });
      child.send({ question });
      const reply = await Promise.race([answered, ended]);
      if ('failure' in reply) throw new Error(reply.failure);
      return reply.answer as Answer;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
