import { createSocket } from 'node:dgram';
import { expect, it } from 'vitest';
import { createOwnAddresses } from './create-target-guard.ts';

it('includes the addresses of this machine', async () => {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.connect(9, '127.0.0.1', resolve));
  expect(createOwnAddresses()()).toContain(socket.address().address);
  socket.close();
});
