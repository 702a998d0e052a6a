import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const runService = fileURLToPath(new URL('./run-service.ts', import.meta.url));
const buildServer = fileURLToPath(new URL('../http/server/build-server.ts', import.meta.url));
const readEnvFile = fileURLToPath(new URL('../config/env.ts', import.meta.url));

/** Starts a process with a service that runs the given code as its `start`. */
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
      start: async ({ log, lifecycle, crash, restart, reportBug, metrics }) => {
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
  return { child, started: started.promise, ended, output: () => output };
}

/** Sends a body whose second packet arrives in a later turn than the headers. */
async function sendInTwoPackets(url: string) {
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
  sent.write('{"a":');
  await once(sent, 'socket');
  setTimeout(() => sent.end('1}'), 50);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await readText(response) };
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

  it('prints configuration problems and exits with 1', async () => {
    const { exitCode, output, errors } = await startService('', { BROKEN: 'true' }).ended;
    expect({ exitCode, output, errors }).toEqual({
      exitCode: 1,
      output: '',
      errors: 'invalid configuration:\n  NEEDED is required\n',
    });
  });

  it.each([
    ['a start that fails', 'throw new Error("boom")'],
    ['an uncaught exception', 'setTimeout(() => { throw new Error("boom") }, 1)'],
    ['an unhandled rejection', 'void Promise.reject(new Error("boom"))'],
    ['a requested crash', 'crash(new Error("boom"))'],
  ])('logs %s as fatal and exits with 1', async (_what, start) => {
    const { exitCode, output } = await startService(start).ended;
    expect(exitCode).toBe(1);
    const fatal = output.split('\n').find((line) => line.includes('"level":60'));
    expect(JSON.parse(fatal ?? '{}')).toMatchObject({ msg: 'crashed', err: { message: 'boom' } });
  });

  it('stops cleanly with code 1 when it requests a restart', async () => {
    const { exitCode, output } = await startService('restart("a bug")').ended;
    expect(exitCode).toBe(1);
    expect(output).toContain('closed the timer');
    expect(output).toContain('a bug');
  });

  it('stops when its supervisor exits', async () => {
    const supervisor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(supervisor, 'spawn');
    const { started, ended } = startService('', { ANNALS_SUPERVISOR_PID: `${supervisor.pid}` });
    await started;
    supervisor.kill('SIGKILL');
    const { exitCode, output } = await ended;
    expect(exitCode).toBe(0);
    expect(output).toContain('the supervisor has ended');
  });

  it('responds with 500 to uncaught errors and exits at the eleventh within a minute', async () => {
    const { started, ended, output } = startService(`
      const { buildServer } = await import(${JSON.stringify(buildServer)});
      const { Readable } = await import('node:stream');
      const server = buildServer({ log, bodyLimitBytes: 100, onBug: reportBug });
      const boom = () => { throw new Error('boom'); };
      const never = () => new Promise(() => {});
      server.get('/handler', boom);
      server.get('/timer', () => { setTimeout(boom, 1); return never(); });
      server.get('/rejection', () => { void Promise.reject(new Error('boom')); return never(); });
      server.get('/hook', { onRequest: (request, reply, done) => { setImmediate(boom); } }, never);
      server.post('/body', { preHandler: async () => boom() }, never);
      server.post('/after-body', () => { setTimeout(boom, 1); return never(); });
      server.get('/first-byte', (request, reply) =>
        reply.send(new Readable({ read() { this.destroy(new Error('boom')); } })));
      server.get('/late', (request, reply) => {
        let isFirst = true;
        return reply.send(new Readable({ read() {
          if (isFirst) this.push('x'.repeat(100_000));
          else setTimeout(() => this.destroy(new Error('boom')), 50);
          isFirst = false;
        } }));
      });
      server.get('/metrics', () => metrics.text());
      log.info({ url: await server.listen({ port: 0 }) }, 'listening');
    `);
    await started;
    const url = /"url":"([^"]+)"/.exec(output())?.[1];
    const send = async (path: string, method = 'GET') => {
      const body = method === 'POST' ? '{}' : null;
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}${path}`, { method, body, headers });
      return { status: response.status, body: await response.text() };
    };
    const requestIds: string[] = [];
    for (const path of ['/handler', '/timer', '/rejection', '/hook', '/first-byte']) {
      const { status, body } = await send(path);
      expect({ path, status }).toEqual({ path, status: 500 });
      requestIds.push((JSON.parse(body) as { requestId: string }).requestId);
    }
    expect((await send('/body', 'POST')).status).toBe(500);
    const { status, body: failure } = await sendInTwoPackets(`${url}/after-body`);
    expect(status).toBe(500);
    requestIds.push((JSON.parse(failure) as { requestId: string }).requestId);
    await expect(send('/late')).rejects.toThrow();
    const { body } = await send('/metrics');
    expect(body).toContain('annals_request_failures_total 8');
    for (let count = 9; count <= 10; count += 1) await send('/timer');
    expect((await send('/metrics')).status).toBe(200);
    await send('/timer');
    const { exitCode, output: whole } = await ended;
    expect(exitCode).toBe(1);
    const failures = whole.split('\n').filter((line) => line.includes('request failed'));
    expect(failures).toHaveLength(11);
    for (const id of requestIds) {
      expect(failures.filter((line) => line.includes(`"traceId":"${id}"`))).toHaveLength(1);
    }
    expect(whole).toContain('over 10 requests had unexpected errors within 60 s');
    expect(whole).toContain('closed the timer');
  });
});
