import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import type { AccessFile } from '../../../infra/local/supervisor/access-file.ts';
import { runSupervisor } from '../../../infra/local/supervisor/run-supervisor.ts';
import { eventually } from '../eventually.ts';

export interface SupervisedFakeServices {
  /** All output so far. */
  output(): string;
  /** Returns the latest reminder of what the supervisor waits for. */
  waitsFor(): string;
  access(): AccessFile;
  untilReady(): Promise<void>;
  /** Sends the signal and waits for the exit code. */
  stop(): Promise<number>;
  readonly exitCode: Promise<number>;
}

const entry = join(import.meta.dirname, 'fake-service.ts');

/** Runs the supervisor of `npm start` in this process, with fake services. */
export async function superviseFakeServices(
  dataDir: string,
  env: NodeJS.ProcessEnv,
): Promise<SupervisedFakeServices> {
  const { port } = await choosePorts(['port'], {});
  const signals = new EventEmitter();
  let printed = '';
  let waitsFor = (): string => '';
  const print = (line: string): void => {
    printed += `${line}\n`;
  };
  const exitCode = runSupervisor({
    env: { ...process.env, PORT: `${port}`, ANNALS_DATA_DIR: dataDir, ...env },
    services: (['api', 'projector', 'dispatcher'] as const).map((name) => ({ name, entry })),
    front: entry,
    terminal: {
      isWatched: false,
      print,
      warn: print,
      async during(what, work, detail = waitsFor) {
        print(what);
        waitsFor = detail;
        return work;
      },
    },
    signals,
    exit(code) {
      throw new Error(`the supervisor was forced to exit with code ${code}`);
    },
  });
  return {
    output: () => printed,
    waitsFor: () => waitsFor(),
    access: () => JSON.parse(readFileSync(join(dataDir, 'access.json'), 'utf8')),
    async untilReady() {
      const isReady = (): void => {
        if (!/^Annals is ready at /m.test(printed))
          throw new Error(`the supervisor did not become ready:\n${printed}`);
      };
      await Promise.race([
        eventually(isReady, { timeoutMs: 60_000 }),
        exitCode.then((code) => {
          throw new Error(`the supervisor exited with code ${code}:\n${printed}`);
        }),
      ]);
    },
    async stop() {
      signals.emit('SIGTERM');
      return exitCode;
    },
    exitCode,
  };
}
