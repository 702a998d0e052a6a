import { createInterface } from 'node:readline';
import { openLogFile } from '../processes/log-file.ts';
import type { RunningChild } from '../processes/spawn-child.ts';
import type { Terminal } from '../terminal.ts';
import { isErrorLine, toTerminalLine } from './log-line.ts';
import { hearLine, type ServiceWait } from './service-wait.ts';

/** The log file of one service over all its restarts. Warnings and errors are shown at the terminal too. */
export interface ServiceLog {
  readonly path: string;
  follow(child: RunningChild): void;
  /** The last lines that say what went wrong, in the form of the terminal. */
  lastErrors(): readonly string[];
  /** What it says about its wait. */
  wait(): ServiceWait;
}

const KEPT_ERRORS = 12;

export function openServiceLog(log: {
  readonly service: string;
  readonly path: string;
  readonly terminal: Terminal;
}): ServiceLog {
  const { service, path, terminal } = log;
  const file = openLogFile(path, {
    // A full disk costs the log, not the service.
    onError: (error) => terminal.warn(`${path} cannot be written: ${String(error)}`),
  });
  let errors: readonly string[] = [];
  let wait: ServiceWait = {};

  const takeLine = (line: string): void => {
    file.write(line);
    wait = hearLine(wait, line, Date.now());
    const shown = toTerminalLine(service, line);
    if (shown !== undefined) terminal.print(shown);
    if (isErrorLine(line)) errors = [...errors, shown ?? line].slice(-KEPT_ERRORS);
  };

  return {
    path,
    follow(child) {
      errors = [];
      for (const stream of [child.stdout, child.stderr]) {
        if (stream !== null) createInterface({ input: stream }).on('line', takeLine);
      }
    },
    lastErrors: () => errors,
    wait: () => wait,
  };
}
