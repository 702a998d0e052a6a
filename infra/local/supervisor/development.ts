import { join } from 'node:path';
import type { ChildRegistry } from '../processes/child-registry.ts';
import { choosePorts } from '../processes/free-port.ts';
import type { Terminal } from '../terminal.ts';
import { openServiceLog, type StartedService, spawnService } from './start-services.ts';
import { type WatchedSources, watchSources } from './watch-sources.ts';

/** The features that `npm run dev` has in addition to `npm start`. */
interface Development {
  readonly sources: WatchedSources;
  readonly consoleUrl: string;
  /** Node options that make the instance accept debuggers; empty unless it is `inspected`. */
  inspectorOptions(instance: string): readonly string[];
  /** Starts the server that serves the console from its sources, with hot reload. */
  serveConsole(apiUrl: string): Promise<StartedService>;
}

export async function openDevelopment(
  root: string,
  options: {
    readonly env: NodeJS.ProcessEnv;
    /** The instance that accepts debuggers. */
    readonly inspected: string | undefined;
    readonly logDirectory: string;
    readonly registry: ChildRegistry;
    readonly terminal: Terminal;
  },
): Promise<Development> {
  const { env, inspected, logDirectory, registry, terminal } = options;
  // The usual ports of Vite and of debuggers, if they are free.
  const ports = await choosePorts(['console', 'inspector'], { console: 5173, inspector: 9229 });
  const inspector = `127.0.0.1:${ports.inspector}`;
  if (inspected !== undefined) terminal.print(`The ${inspected} accepts debuggers at ${inspector}`);
  return {
    sources: watchSources(root),
    consoleUrl: `http://127.0.0.1:${ports.console}`,
    inspectorOptions: (name) => (name === inspected ? [`--inspect=${inspector}`] : []),
    async serveConsole(apiUrl) {
      const name = 'console';
      const log = openServiceLog(name, logDirectory, terminal);
      const program = join(root, 'infra', 'console', 'serve.ts');
      const args = [program, apiUrl, `${ports.console}`];
      const start = async () =>
        spawnService({ name, args, env, log, stopTimeoutMs: 2_000 }, registry);
      return { name, process: await start(), startAgain: start, lastErrors: log.lastErrors };
    },
  };
}
