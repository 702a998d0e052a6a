import { createInterface } from 'node:readline';
import { openLogFile } from '../processes/log-file.ts';
import type { RunningChild } from '../processes/spawn-child.ts';
import type { Terminal } from '../terminal.ts';
import { isErrorLine, toTerminalLine } from './log-line.ts';
import { type ServiceWait, updateWait } from './service-wait.ts';

/** The log file of one service across its restarts. Warnings and errors are also printed at the terminal. */
export interface ServiceLog {
  readonly path: string;
  follow(child: RunningChild): void;
  /** Returns the last errors, formatted for the terminal. */
  lastErrors(): readonly string[];
  /** Returns what the log says about the wait of the service. */
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
    // A full disk affects the log, not the service.
    onError: (error) => terminal.warn(`Cannot write ${path}: ${String(error)}`),
  });
  let errors: readonly string[] = [];
  let wait: ServiceWait = {};

  const handleLine = (line: string): void => {
    file.write(line);
    wait = updateWait(wait, line, Date.now());
    const shown = toTerminalLine(service, line);
    if (shown !== undefined) terminal.print(shown);
    if (isErrorLine(line)) errors = [...errors, shown ?? line].slice(-KEPT_ERRORS);
  };

  return {
    path,
    follow(child) {
      errors = [];
      for (const stream of [child.stdout, child.stderr]) {
        if (stream !== null) createInterface({ input: stream }).on('line', handleLine);
      }
    },
    lastErrors: () => errors,
    wait: () => wait,
  };
}
