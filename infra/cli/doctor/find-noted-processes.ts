import { join } from 'node:path';
import { readJsonIfPresent } from '../../local/data-directory/private-file.ts';
import { toReadyUrl } from '../../local/supervisor/service-environment.ts';

/** Names of processes' ports among those that `npm start` notes. */
const healthPort = /^(.+)Health$/;

/** The processes of a running `npm start`: names by the address of their readiness check. */
export function findNotedProcesses(directory: string | undefined): ReadonlyMap<string, string> {
  if (directory === undefined) return new Map();
  const isRunning = readJsonIfPresent(join(directory, 'access.json')) !== undefined;
  const ports = Object(readJsonIfPresent(join(directory, 'ports.json')));
  return new Map(
    Object.entries(isRunning ? ports : {}).flatMap(([key, port]) => {
      const name = healthPort.exec(key)?.[1];
      return name === undefined ? [] : [[toReadyUrl(Number(port)), name] as const];
    }),
  );
}
