import { expect, it } from 'vitest';
import { asCause, createMarker, findingsAbout } from './finding.ts';

const kafka = findingsAbout('Kafka');
const services = findingsAbout('services');
const readModel = findingsAbout('read model');

it('marks faults that follow from an earlier one', () => {
  const mark = createMarker();
  expect(mark([asCause(kafka.fault('does not answer', 'start it'))])).toEqual([
    kafka.fault('does not answer', 'start it'),
  ]);
  expect(
    mark([services.ok('api is ready'), services.fault('api is not ready: kafka', 'r')]),
  ).toEqual([
    services.ok('api is ready'),
    { ...services.fault('api is not ready: kafka', 'r'), follows: 'Kafka' },
  ]);
});

it('names the first cause and never marks a part as its own consequence', () => {
  const mark = createMarker();
  const absent = asCause(services.fault('no projector takes part', 'start one'), ['read model']);
  const [, behind, again] = mark([
    absent,
    asCause(readModel.fault('lacks the tables account', 'rebuild'), ['services', 'read model']),
    readModel.fault('is behind', 'r'),
  ]);
  expect(behind).toMatchObject({ follows: 'services' });
  expect(again).toMatchObject({ follows: 'services' });
});

it('leaves a fault without a cause unmarked', () => {
  const mark = createMarker();
  mark([kafka.warning('is one broker', 'run three')]);
  expect(mark([services.fault('api is not ready', 'r')])).toEqual([
    services.fault('api is not ready', 'r'),
  ]);
});
