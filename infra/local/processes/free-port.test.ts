import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { choosePorts, probePort } from './free-port.ts';

let taken: Server;
let takenPort: number;

beforeEach(async () => {
  const { port } = await choosePorts(['port'], {});
  takenPort = port;
  taken = createServer().listen(port, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
});

afterEach(async () => {
  await new Promise((resolve) => taken.close(resolve));
});

describe('choosePorts', () => {
  it('chooses the remembered port while it is free', async () => {
    const { port } = await choosePorts(['port'], {});

    expect(await choosePorts(['port'], { port })).toEqual({ port });
  });

  it('chooses another port if the remembered one is taken', async () => {
    const { port } = await choosePorts(['port'], { port: takenPort });

    expect(port).not.toBe(takenPort);
    expect(await probePort(port)).toBe('free');
  });

  it('never chooses a new port twice, even before a server listens on it', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValueOnce(0.5).mockReturnValueOnce(0.5);

    const [one, other] = [await choosePorts(['port'], {}), await choosePorts(['port'], {})];
    random.mockRestore();

    expect(other.port).not.toBe(one.port);
    expect(await probePort(one.port)).toBe('free');
  });

  it('returns a different port for each name', async () => {
    const { port } = await choosePorts(['port'], {});

    const chosen = await choosePorts(['one', 'other'], { one: port, other: port });

    expect(chosen.one).toBe(port);
    expect(chosen.other).not.toBe(port);
  });
});

describe('probePort', () => {
  it('returns the reason why a port is unavailable', async () => {
    expect(await probePort(takenPort)).toBe('EADDRINUSE');
    expect(await probePort(takenPort, '192.0.2.1')).toBe('EADDRNOTAVAIL');
  });
});
