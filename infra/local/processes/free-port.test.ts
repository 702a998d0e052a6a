import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { choosePorts, judgePort } from './free-port.ts';

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
  it('takes the remembered port while it is free', async () => {
    const { port } = await choosePorts(['port'], {});

    expect(await choosePorts(['port'], { port })).toEqual({ port });
  });

  it('takes another one where the remembered port is taken', async () => {
    const { port } = await choosePorts(['port'], { port: takenPort });

    expect(port).not.toBe(takenPort);
    expect(await judgePort(port)).toBe('free');
  });

  it('gives no new port that was given before, though nobody listens there yet', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValueOnce(0.5).mockReturnValueOnce(0.5);

    const [one, other] = [await choosePorts(['port'], {}), await choosePorts(['port'], {})];
    random.mockRestore();

    expect(other.port).not.toBe(one.port);
    expect(await judgePort(one.port)).toBe('free');
  });

  it('gives no port twice', async () => {
    const { port } = await choosePorts(['port'], {});

    const chosen = await choosePorts(['one', 'other'], { one: port, other: port });

    expect(chosen.one).toBe(port);
    expect(chosen.other).not.toBe(port);
  });
});

describe('judgePort', () => {
  it('says why nothing can listen there', async () => {
    expect(await judgePort(takenPort)).toBe('EADDRINUSE');
    expect(await judgePort(takenPort, '192.0.2.1')).toBe('EADDRNOTAVAIL');
  });
});
