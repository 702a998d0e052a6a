import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const runService = fileURLToPath(new URL('./run-service.ts', import.meta.url));
const readEnvFile = fileURLToPath(new URL('../config/env.ts', import.meta.url));

/** A process that runs a service whose `start` is the given code. */
function startService(start: string, env: Readonly<Record<string, string>> = {}) {
  const code = `
    import { runService } from ${JSON.stringify(runService)};
    import { readEnv } from ${JSON.stringify(readEnvFile)};
    await runService({
      name: 'test',
      env: process.env,
      loadConfig: (env) => {
        const read = readEnv(env);
        const config = { logLevel: read.text('LOG_LEVEL', 'info') };
        if (read.boolean('BROKEN', false)) read.text('NEEDED');
        read.done();
        return config;
      },
      start: async ({ log, lifecycle, crash, restart }) => {
        lifecycle.opened('timer', () => log.info('closed the timer'));
        setInterval(() => {}, 1000);
        ${start}
        log.info('started');
      },
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...env },
  });
  let output = '';
  let errors = '';
  const started = Promise.withResolvers<void>();
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (output.includes('"started"')) started.resolve();
  });
  child.stderr.on('data', (chunk) => (errors += chunk));
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode, output, errors }));
  return { child, started: started.promise, ended };
}

describe('a service process', { timeout: 20_000 }, () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('closes and exits with 0 on %s', async (signal) => {
    const { child, started, ended } = startService('');
    await started;
    child.kill(signal);
    const { exitCode, output } = await ended;
    expect(exitCode).toBe(0);
    expect(output).toContain('closed the timer');
    expect(output).toContain('"stopped"');
  });

  it('tells a wrong configuration in plain words and exits with 1', async () => {
    const { exitCode, output, errors } = await startService('', { BROKEN: 'true' }).ended;
    expect({ exitCode, output, errors }).toEqual({
      exitCode: 1,
      output: '',
      errors: 'invalid configuration:\n  NEEDED is required\n',
    });
  });

  it.each([
    ['a start that fails', 'throw new Error("boom")'],
    ['an exception nobody catches', 'setTimeout(() => { throw new Error("boom") }, 1)'],
    ['a rejection nobody catches', 'void Promise.reject(new Error("boom"))'],
    ['a crash asked for', 'crash(new Error("boom"))'],
  ])('logs %s as fatal and exits with 1', async (_what, start) => {
    const { exitCode, output } = await startService(start).ended;
    expect(exitCode).toBe(1);
    const fatal = output.split('\n').find((line) => line.includes('"level":60'));
    expect(JSON.parse(fatal ?? '{}')).toMatchObject({ msg: 'crashed', err: { message: 'boom' } });
  });

  it('stops in order but with code 1 when it asks for a restart', async () => {
    const { exitCode, output } = await startService('restart("a bug")').ended;
    expect(exitCode).toBe(1);
    expect(output).toContain('closed the timer');
    expect(output).toContain('a bug');
  });

  it('stops when its supervisor is gone', async () => {
    const supervisor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(supervisor, 'spawn');
    const { started, ended } = startService('', { ANNALS_SUPERVISOR_PID: `${supervisor.pid}` });
    await started;
    supervisor.kill('SIGKILL');
    const { exitCode, output } = await ended;
    expect(exitCode).toBe(0);
    expect(output).toContain('supervisor is gone');
  });
});
