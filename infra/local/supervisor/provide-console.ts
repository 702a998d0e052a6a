import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, findConsoleBuild } from '../../console/console-build.ts';
import type { ChildRegistry } from '../processes/child-registry.ts';
import { collectOutput } from '../processes/spawn-child.ts';
import type { Terminal } from '../terminal.ts';

/** A build takes about five seconds. Beyond this limit, it is considered hung. */
const timeoutMs = 180_000;

/**
 * Returns the directory of the built console, and builds it first if its sources have changed. If that fails, prints a
 * warning and returns undefined, because everything else works without the console.
 */
export async function provideConsole(
  own: string | undefined,
  run: {
    readonly registry: ChildRegistry;
    readonly terminal: Terminal;
    readonly env: NodeJS.ProcessEnv;
  },
): Promise<string | undefined> {
  const { registry, terminal, env } = run;
  if (own !== undefined) {
    if (existsSync(join(own, 'index.html'))) return own;
    terminal.warn(
      `ANNALS_CONSOLE_DIR (${own}) does not contain a console: the API starts without it.`,
    );
    return undefined;
  }
  const { directory, isBuilt } = findConsoleBuild();
  if (isBuilt) return directory;
  const problem = await terminal.during('Building the console', build(registry, env));
  if (problem === undefined) return directory;
  if (!registry.isStopping()) {
    terminal.warn(`The console could not be built; the API starts without it: ${problem}`);
  }
  return undefined;
}

/** Returns the problem in one line; undefined on success. */
async function build(registry: ChildRegistry, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const child = await registry.spawn({
      name: 'console',
      command: process.execPath,
      args: [buildProgram],
      env: { ...env, NODE_ENV: 'production' },
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 2_000,
    });
    const output = collectOutput(child);
    const timer = setTimeout(() => child.kill(), timeoutMs);
    const { code } = await child.exited;
    clearTimeout(timer);
    if (code === 0) return undefined;
    const lines = output.text().split('\n');
    return lines.find((line) => /error/i.test(line)) ?? `its build ended with ${code}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
