import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { OwnerSilent, OwnerWatch } from './owner-watch.ts';

const opened: (() => void)[] = [];

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** Starts an owner. While `isPaused` returns true, the owner accepts requests but does not respond. */
async function startOwner(isPaused: () => boolean): Promise<string> {
  const server: Server = createServer((_request, response) => {
    if (!isPaused()) response.end('true');
  });
  opened.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function startWatch(owners: () => Iterable<string>): OwnerWatch {
  const watch = new OwnerWatch(owners);
  opened.push(() => watch.close());
  return watch;
}

const patience = { timeoutMs: 5_000 };

describe('the owner watch', () => {
  it('detects a silent owner and its return before a command is sent', async () => {
    let isPaused = true;
    const address = await startOwner(() => isPaused);
    const watch = startWatch(() => [address]);
    await eventually(() => expect(watch.isSilent(address)).toBe(true), patience);
    isPaused = false;
    await eventually(() => expect(watch.isSilent(address)).toBe(false), patience);
  });

  it('rejects only the requests to an owner that stops responding', async () => {
    let isPaused = false;
    const [paused, living] = [await startOwner(() => isPaused), await startOwner(() => false)];
    const watch = startWatch(() => []);
    const never = new Promise<never>(() => undefined);
    const waiting = watch.orSilent(paused, never);
    const later = Promise.withResolvers<string>();
    const other = watch.orSilent(living, later.promise);
    isPaused = true;
    await expect(waiting).rejects.toBeInstanceOf(OwnerSilent);
    later.resolve('answer');
    expect(await other).toBe('answer');
    expect(watch.isSilent(living)).toBe(false);
  });

  it('removes owners that no longer own a partition', async () => {
    const address = 'http://127.0.0.1:1';
    let owners = [address];
    const watch = startWatch(() => owners);
    await eventually(() => expect(watch.isSilent(address)).toBe(true), patience);
    owners = [];
    await eventually(() => expect(watch.isSilent(address)).toBe(false), patience);
  });
});
