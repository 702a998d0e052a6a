import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { getContainerRuntimeClient } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { createKafkajsClient } from '../../shared/kafka/connection.ts';
import { becauseOf, findDockerObstacle } from '../support/docker-obstacle.ts';
import { superviseFakeServices } from '../support/harness/supervise-fake-services.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { createLogReader } from '../support/log/log-reader.ts';

const obstacle = await findDockerObstacle();
const inDocker = { KAFKA_BROKERS: '', DATABASE_URL: '', ANNALS_INFRA: 'docker' };
const topic = 'kept';

describe.skipIf(obstacle !== undefined)(`ANNALS_INFRA=docker${becauseOf(obstacle)}`, () => {
  let dataDir: string;

  beforeAll(() => {
    dataDir = makeTestDirectory();
  });

  afterAll(async () => {
    const { container } = await getContainerRuntimeClient();
    const prefix = readFileSync(join(dataDir, 'docker-volumes'), 'utf8').trim();
    for (const part of ['kafka', 'postgres']) {
      await container.dockerode.getVolume(`${prefix}-${part}`).remove();
    }
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('runs Kafka and Postgres in containers and keeps their data for the next start', async () => {
    const first = await superviseFakeServices(dataDir, inDocker);
    await first.untilReady();
    expect(first.output()).toContain('Kafka and Postgres run in Docker');
    const { kafka, postgres } = first.access();
    await withClient(postgres.url, async (client) => {
      await client.query('create table kept as select 42 as value');
    });
    const address = toKafkaAddress(kafka, 'docker-test');
    const admin = createKafkajsClient(address, pino({ level: 'silent' })).admin();
    await admin.createTopics({ topics: [{ topic }], waitForLeaders: true });
    await admin.disconnect();
    expect(await first.stop()).toBe(0);

    const second = await superviseFakeServices(dataDir, { ...inDocker, ANNALS_INFRA: '' });
    await second.untilReady();
    expect(second.access().postgres).toEqual(postgres);
    await withClient(second.access().postgres.url, async (client) => {
      expect((await client.query('select value from kept')).rows).toEqual([{ value: 42 }]);
    });
    const log = createLogReader(second.access().kafka);
    expect(await log.messages(topic)).toEqual([[]]);
    await log.close();
    expect(await second.stop()).toBe(0);
  }, 180_000);
});
