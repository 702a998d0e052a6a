import type { Writable } from 'node:stream';

/** Prints messages in the terminal: progress, actions of the supervisor, and warnings. */
export interface Terminal {
  /** True if a person reads the output and no file or log collector stores it. */
  readonly isWatched: boolean;
  print(line: string): void;
  warn(line: string): void;
  /** Prints the current activity, and a reminder every few seconds while it continues. */
  during<Result>(what: string, work: Promise<Result>, detail?: () => string): Promise<Result>;
}

const REMINDER_INTERVAL_MS = 5_000;

export function createTerminal(
  output: Writable & { readonly isTTY?: boolean },
  errors: Writable,
): Terminal {
  // A closed output (`npm start | head`) must not stop the supervisor and its processes.
  output.on('error', () => {});
  errors.on('error', () => {});
  const print = (line: string): void => void output.write(`${line}\n`);

  return {
    isWatched: output.isTTY === true,
    print,
    warn: (line) => void errors.write(`${line}\n`),
    async during(what, work, detail = () => '') {
      print(`${what} …`);
      const startedAt = Date.now();
      const reminder = setInterval(() => {
        const seconds = Math.round((Date.now() - startedAt) / 1000);
        const soFar = detail();
        print(`  … ${seconds} s${soFar === '' ? '' : `, ${soFar}`}`);
      }, REMINDER_INTERVAL_MS);
      try {
        return await work;
      } finally {
        clearInterval(reminder);
      }
    },
  };
}

export const silentTerminal: Terminal = {
  isWatched: false,
  print: () => {},
  warn: () => {},
  during: async (_what, work) => work,
};
