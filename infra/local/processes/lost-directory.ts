import { existsSync } from 'node:fs';
import { OperatorError } from '../operator-error.ts';
import type { RunningChild } from './spawn-child.ts';

const CHECK_EVERY_MS = 2_000;

/** Kills a server whose directory was deleted. It would acknowledge writes into files that no longer have a name. */
export function endWithoutDirectory(server: RunningChild, directory: string): void {
  const timer = setInterval(() => {
    if (server.hasExited()) clearInterval(timer);
    else if (!existsSync(directory)) server.kill();
  }, CHECK_EVERY_MS);
  timer.unref();
}

/** Throws OperatorError instead of letting a server start with an empty directory in place of its former one. */
export function requireDirectory(directory: string, consequence: string): void {
  if (existsSync(directory)) return;
  throw new OperatorError(`${directory} was deleted while Annals was running: ${consequence}`);
}
