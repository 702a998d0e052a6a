/**
 * The program behind `annals/testing`. It runs every Annals that tests start, on one Kafka and one Postgres.
 *
 *   starting ──infrastructure is up──▶ serving ──stdin ends, or a signal──▶ stopping ──▶ over
 *
 * The first line on stdout contains its address and access token, or the reason for a failed start. It listens on the
 * loopback interface only. The parent process holds its stdin, so this program also exits when the parent is killed.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { createTerminal } from '../../../infra/local/terminal.ts';
import { makeTestDirectory, startTestInfrastructure } from '../harness/test-infrastructure.ts';
import { type HostedAnnals, hostAnnals } from './hosted-annals.ts';
import { createSpares, type Spares } from './spares.ts';

const token = randomBytes(16).toString('hex');
const spareCount = Number(process.argv[2] ?? 0);

await main().catch((error: unknown) => {
  printLine({ error: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const terminal = createTerminal(process.stderr, process.stderr);
  const directory = makeTestDirectory();
  const infrastructure = await startTestInfrastructure(process.env, { terminal });
  const spares = createSpares(
    async (env) => hostAnnals({ infrastructure, directory, env }),
    spareCount,
  );
  const ending = new Set<Promise<void>>();
  const server = buildServer(spares, ending);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const over = untilOver();
  await spares.filled();
  printLine({ url, token });
  await over;
  await Promise.allSettled(ending);
  // Stopped last, because running parts lose their data with it.
  await infrastructure.stop();
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
}

function buildServer(spares: Spares, ending: Set<Promise<void>>): FastifyInstance {
  const server = fastify();
  const running = new Map<string, HostedAnnals>();
  const annalsOf = ({ params }: FastifyRequest): HostedAnnals => {
    const found = running.get((params as { readonly id: string }).id);
    if (found === undefined) throw new Error('This Annals is stopped.');
    return found;
  };
  server.addHook('onRequest', async ({ headers }) => {
    if (headers.authorization !== `Bearer ${token}`)
      throw new Error('The token does not belong to this host.');
  });
  server.post('/annals', async ({ body }) => {
    const id = randomUUID();
    const annals = await spares.take((body as { readonly env: Record<string, string> }).env);
    running.set(id, annals);
    return { id, ...annals.access };
  });
  server.post('/annals/:id/receivers', async (request) => {
    annalsOf(request).allowReceiver((request.body as { readonly port: number }).port);
    return {};
  });
  server.post('/annals/:id/clock', async (request) => {
    annalsOf(request).moveClock((request.body as { readonly ms: number }).ms);
    return {};
  });
  server.post('/annals/:id/stop', async (request) => {
    const annals = annalsOf(request);
    running.delete((request.params as { readonly id: string }).id);
    // Awaited only at the end of this program.
    const stopped = annals.stop().catch(logFailure);
    ending.add(stopped);
    void stopped.then(() => ending.delete(stopped));
    return {};
  });
  return server;
}

async function untilOver(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdin.on('end', resolve).on('error', resolve).resume();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, resolve);
  return promise;
}

function logFailure(error: unknown): void {
  process.stderr.write(
    `annals/testing: an instance of Annals could not be removed: ${String(error)}\n`,
  );
}

function printLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
