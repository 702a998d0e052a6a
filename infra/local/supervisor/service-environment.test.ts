import { describe, expect, it } from 'vitest';
import { loadDispatcherConfig } from '../../../services/dispatcher/config.ts';
import { loadProjectorConfig } from '../../../services/projector/config.ts';
import { toKafkaAccess } from '../kafka/kafka-access.ts';
import { brokerAccount } from '../kafka/kafka-properties.ts';
import { namesSetByStart, toServiceEnvironment } from './service-environment.ts';

const surroundings = {
  env: { WEBHOOK_QUEUE_INTERVAL: '1s', KAFKA_BROKERS: '', ANNALS_TOPIC_PREFIX: '' },
  kafka: toKafkaAccess('127.0.0.1:9092', brokerAccount('its password')),
  databaseUrl: 'postgres://127.0.0.1/annals',
  secretKey: 'ab'.repeat(32),
  seedFile: '/data/seed.json',
  accessFile: '/data/access.json',
  consoleDirectory: '/cache/console',
  storagePaths: ['/', '/proc'],
  host: '127.0.0.1',
  port: 8080,
};
const ports = { healthPort: 20_001, balancedApis: ['20002/20003', '20004/20005'] };

describe('toServiceEnvironment', () => {
  it("passes on the operator's settings and adds all addresses", () => {
    expect(toServiceEnvironment('dispatcher', surroundings, ports)).toEqual({
      WEBHOOK_QUEUE_INTERVAL: '1s',
      KAFKA_BROKERS: '127.0.0.1:9092',
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_SASL_USERNAME: 'annals',
      KAFKA_SASL_PASSWORD: 'its password',
      DATABASE_URL: 'postgres://127.0.0.1/annals',
      LOG_LEVEL: 'info',
      ANNALS_TOPIC_PREFIX: 'annals',
      ANNALS_SECRET_KEY: 'ab'.repeat(32),
      STORAGE_PATHS: '/,/proc',
      ANNALS_SUPERVISOR_PID: `${process.pid}`,
      INTERNAL_HOST: '127.0.0.1',
      INTERNAL_PORT: '20001',
    });
  });

  it('omits the _FILE variable of a secret that is passed directly', () => {
    const files = {
      DATABASE_URL_FILE: '/secrets/url',
      ANNALS_SECRET_KEY_FILE: '/secrets/key',
      KAFKA_SASL_PASSWORD_FILE: '/secrets/password',
    };
    const variables = toServiceEnvironment('projector', { ...surroundings, env: files }, ports);
    expect(loadProjectorConfig(variables)).toMatchObject({ databaseUrl: surroundings.databaseUrl });
    expect(loadDispatcherConfig(variables)).toMatchObject({ secretKey: surroundings.secretKey });
  });

  it('passes the targets to the load balancer', () => {
    expect(toServiceEnvironment('front', surroundings, ports)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: '8080',
      ANNALS_FRONT_TARGETS: '20002/20003,20004/20005',
    });
  });

  it('enables the PROXY protocol only for an api behind the load balancer', () => {
    const behind = toServiceEnvironment('api', surroundings, ports);
    const alone = toServiceEnvironment('api', surroundings, { ...ports, balancedApis: [] });
    expect(behind).toMatchObject({ ANNALS_PROXY_PROTOCOL: 'signed' });
    expect(alone).not.toHaveProperty('ANNALS_PROXY_PROTOCOL');
  });

  it('passes the address and the seed file only to the api', () => {
    expect(toServiceEnvironment('api', surroundings, ports)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: '8080',
      ANNALS_SEED_FILE: '/data/seed.json',
      ANNALS_ACCESS_FILE: '/data/access.json',
      ANNALS_CONSOLE_DIR: '/cache/console',
    });
  });
});

it('returns only the variables that npm start chose', () => {
  const operator = { PORT: '80', LOG_LEVEL: '', DATABASE_URL_FILE: '/secrets/url', HOME: '/root' };
  const passed = {
    ...operator,
    LOG_LEVEL: 'info',
    DATABASE_URL: 'postgres://db',
    DATABASE_URL_FILE: undefined,
    INTERNAL_PORT: '20001',
  };
  expect(namesSetByStart(operator, passed)).toEqual(['LOG_LEVEL', 'INTERNAL_PORT']);
});
