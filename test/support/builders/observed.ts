import { pino } from 'pino';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';

/** An installation whose parts are unreachable, except for the overrides. */
export function anObserved(overrides: Partial<Observed>): Observed {
  return {
    kafka: { brokers: ['127.0.0.1:1'], clientId: 'test' },
    topics: topicNames('annals'),
    topicPrefix: 'annals',
    recordPartitions: 1,
    storage: { paths: [], floorBytes: 0 },
    fileStore: undefined,
    secretKey: undefined,
    log: pino({ level: 'silent' }),
    connect: async () => {
      throw new Unavailable('no Postgres');
    },
    ...overrides,
  };
}
