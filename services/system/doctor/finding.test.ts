import { expect, it } from 'vitest';
import { asCause, createMarker, findingsAbout } from './finding.ts';

const kafka = findingsAbout('Kafka');
const services = findingsAbout('services');
const readModel = findingsAbout('read model');

it('marks faults that follow from an earlier one', () => {
  const mark = createMarker();
  expect(
    mark([
      asCause(kafka.fault({ code: 'check.failed', says: 'does not answer', remedy: 'start it' })),
    ]),
  ).toEqual([kafka.fault({ code: 'check.failed', says: 'does not answer', remedy: 'start it' })]);
  expect(
    mark([
      services.ok({ code: 'check.failed', says: 'api is ready' }),
      services.fault({ code: 'check.failed', says: 'api is not ready: kafka', remedy: 'r' }),
    ]),
  ).toEqual([
    services.ok({ code: 'check.failed', says: 'api is ready' }),
    {
      ...services.fault({ code: 'check.failed', says: 'api is not ready: kafka', remedy: 'r' }),
      follows: 'Kafka',
    },
  ]);
});

it('names the first cause and never marks a part as its own consequence', () => {
  const mark = createMarker();
  const absent = asCause(
    services.fault({ code: 'check.failed', says: 'no projector takes part', remedy: 'start one' }),
    ['read model'],
  );
  const [, behind, again] = mark([
    absent,
    asCause(
      readModel.fault({
        code: 'check.failed',
        says: 'lacks the tables account',
        remedy: 'rebuild',
      }),
      ['services', 'read model'],
    ),
    readModel.fault({ code: 'check.failed', says: 'is behind', remedy: 'r' }),
  ]);
  expect(behind).toMatchObject({ follows: 'services' });
  expect(again).toMatchObject({ follows: 'services' });
});

it('leaves a fault without a cause unmarked', () => {
  const mark = createMarker();
  mark([kafka.warning({ code: 'check.failed', says: 'is one broker', remedy: 'run three' })]);
  expect(
    mark([services.fault({ code: 'check.failed', says: 'api is not ready', remedy: 'r' })]),
  ).toEqual([services.fault({ code: 'check.failed', says: 'api is not ready', remedy: 'r' })]);
});
