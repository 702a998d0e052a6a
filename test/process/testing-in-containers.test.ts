import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { GenericContainer } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { defaultImage } from '../support/annals/start-in-containers.ts';
import { createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { becauseOf, findDockerObstacle } from '../support/docker-obstacle.ts';
import { eventually } from '../support/eventually.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';

const root = join(import.meta.dirname, '..', '..');
const buildTimeoutMs = 400_000;
const obstacle = await findDockerObstacle(['node:24-bookworm-slim']);

describe.skipIf(obstacle !== undefined)(
  `annals/testing in containers${becauseOf(obstacle)}`,
  () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
      request.on('end', () => response.end());
    });
    let port: number;
    let annals: StartedAnnals;

    beforeAll(async () => {
      await GenericContainer.fromDockerfile(root, 'infra/docker/Dockerfile').build(defaultImage, {
        deleteOnExit: false,
      });
      // Containers reach this machine, but not its loopback interface.
      await new Promise<void>((resolve) => receiver.listen(0, '0.0.0.0', resolve));
      ({ port } = receiver.address() as AddressInfo);
      annals = await startAnnals({ containers: true, receiverPorts: [port] });
    }, buildTimeoutMs);

    afterAll(async () => {
      receiver.close();
      await annals?.stop();
    });

    it('accepts the credentials of each user that it returns', async () => {
      const all = [
        withPassword(annals.admin),
        withPassword(annals.user),
        withApiKey(annals.apiKey),
        withHmacHex(annals.hmac),
      ];
      const api = createApiClient(annals.url, withApiKey(annals.apiKey));
      for (const credentials of all) {
        expect((await api.as(credentials).get('/Account')).status).toBe(200);
      }
      api.close();
    });

    it('stores records and sends their events to a receiver of the test', async () => {
      const api = createApiClient(annals.url, withApiKey(annals.apiKey));
      await registerWebhook(api, {
        event: 'Account.create',
        url: annals.receiverUrl(port, '/new'),
      });
      const { id } = recordIn(await api.post('/Account', { name: 'Acme' }));
      expect(recordIn(await api.get(`/Account/${id}`))['name']).toBe('Acme');
      await eventually(() => expect(received.join('')).toContain(id));
      api.close();
    });

    it('explains what to do if the image is missing', async () => {
      const starting = startAnnals({ containers: true, image: 'annals-nowhere:0.0.0' });
      await expect(starting).rejects.toThrow(
        /The image annals-nowhere:0\.0\.0 does not exist: build it/,
      );
    });

    it('leaves nothing behind', async () => {
      await annals.stop();
      await expect(fetch(annals.url)).rejects.toThrow();
    });
  },
);
