import { expect, it } from 'vitest';
import { checkBrokerSettings } from './check-broker-settings.ts';

const broker = (id: number, settings: Readonly<Record<string, string>>) => ({
  id,
  settings: new Map(Object.entries(settings)),
});
const says = (...brokers: readonly ReturnType<typeof broker>[]) =>
  checkBrokerSettings(brokers).map((finding) => [finding.verdict, finding.says]);

const wise = {
  'auto.create.topics.enable': 'false',
  'unclean.leader.election.enable': 'false',
  'offsets.retention.minutes': '5256000',
};

it('reports nothing for the recommended settings', () => {
  expect(says(broker(1, wise), broker(2, wise))).toEqual([]);
});

it('warns of brokers that delete committed offsets while Annals is stopped', () => {
  const aWeek = { ...wise, 'offsets.retention.minutes': '10080' };
  expect(says(broker(1, wise), broker(2, aWeek))).toEqual([
    [
      'warning',
      expect.stringMatching(/deletes committed offsets too early.*past event again \(broker 2\)/),
    ],
  ]);
});

it('warns of automatic topic creation and of unclean leader elections', () => {
  const unwise = {
    ...wise,
    'auto.create.topics.enable': 'true',
    'unclean.leader.election.enable': 'true',
  };
  expect(says(broker(1, unwise))).toHaveLength(2);
});

it('warns if this client may not read the settings', () => {
  expect(says(broker(1, {}))).toEqual([
    ['warning', 'Kafka does not show this client its settings.'],
  ]);
});
