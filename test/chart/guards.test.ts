import { describe, expect, it } from 'vitest';
import { becauseOf } from '../support/docker-obstacle.ts';
import { provideHelms } from './chart-programs.ts';
import { renderText } from './render-chart.ts';
import { valueSets } from './value-sets.ts';

const { helm, obstacle } = await provideHelms();
const options = { timeout: 60_000 };
const external = valueSets['external'] ?? {};

describe.skipIf(obstacle !== undefined)(`the chart${becauseOf(obstacle)}`, options, () => {
  it.each<readonly [sentence: string, change: object]>([
    ['set kafka.brokers to the addresses of your brokers', { kafka: {} }],
    ['kafka.brokers and strimzi.enabled are both set', { strimzi: { enabled: true } }],
    ['Postgres is missing: set postgres.existingSecret.name', { postgres: {} }],
    [
      'postgres.existingSecret.name, cloudnativepg.enabled are all set',
      { cloudnativepg: { enabled: true } },
    ],
    [
      'postgres.sessionUrl and postgres.readUrl need postgres.url',
      { postgres: { existingSecret: { name: 'db' }, readUrl: 'postgres://db/annals' } },
    ],
    [
      'kafka.sasl.mechanism needs a password',
      { kafka: { brokers: ['kafka:9092'], sasl: { mechanism: 'scram-sha-512' } } },
    ],
    [
      'The password of Kafka has no effect',
      { kafka: { brokers: ['kafka:9092'], sasl: { password: 'secret' } } },
    ],
    [
      'would send the password in clear text',
      { kafka: { brokers: ['kafka:9092'], sasl: { mechanism: 'plain', password: 'secret' } } },
    ],
    [
      'The certificates of Kafka have no effect',
      { kafka: { brokers: ['kafka:9092'], tls: { clientSecret: 'client' } } },
    ],
    [
      'settings.TRUSTED_PROXIES is missing',
      { ingress: { enabled: true, hosts: ['crm.example.org'] } },
    ],
    ['ingress.hosts is empty', { ingress: { enabled: true } }],
    ['httpRoute.parentRefs is empty', { httpRoute: { enabled: true } }],
    [
      'query.autoscaling.enabled needs query.enabled=true',
      { query: { autoscaling: { enabled: true } } },
    ],
    ['query.autoscaling.minReplicas exceeds', { query: { autoscaling: { minReplicas: 9 } } }],
    ['projector.replicas=30 exceeds kafka.recordPartitions=24', { projector: { replicas: 30 } }],
    [
      'keda.maxReplicas=25 exceeds kafka.recordPartitions=24',
      { keda: { enabled: true, prometheusUrl: 'http://prometheus', maxReplicas: 25 } },
    ],
    ['keda.enabled needs keda.prometheusUrl', { keda: { enabled: true } }],
    ['backup.enabled needs backup.existingClaim', { backup: { enabled: true } }],
    ['keda.minReplicas exceeds', { keda: { minReplicas: 9 } }],
    [
      'cloudnativepg.readReplica needs cloudnativepg.instances=2',
      { postgres: {}, cloudnativepg: { enabled: true, instances: 3 } },
    ],
  ])('refuses values with a remedy: %s', async (sentence, change) => {
    await expect(renderText(helm, { ...external, ...change })).rejects.toThrow(sentence);
  });

  it('rejects unknown and invalid values before it renders anything', async () => {
    await expect(renderText(helm, { ...external, replicas: 3 })).rejects.toThrow('replicas');
    await expect(
      renderText(helm, { ...external, settings: { API_RATE_LIMITS: 1 } }),
    ).rejects.toThrow('API_RATE_LIMITS');
    await expect(renderText(helm, { ...external, api: { replicas: 0 } })).rejects.toThrow(
      'minimum',
    );
  });

  it('refuses to generate other keys during an upgrade', async () => {
    const upgrade = ['--is-upgrade'];
    await expect(renderText(helm, external, upgrade)).rejects.toThrow(
      'The Secret annals-keys cannot be read',
    );
    await expect(
      renderText(helm, { ...external, keys: { existingSecret: 'keys' } }, upgrade),
    ).resolves.toBeTruthy();
  });
});
