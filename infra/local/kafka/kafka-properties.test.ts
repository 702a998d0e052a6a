import { describe, expect, it } from 'vitest';
import { brokerAccount, renderKafkaProperties } from './kafka-properties.ts';

const place = {
  brokerPort: 20001,
  controllerPort: 20002,
  logDirectory: '/data/kafka',
  account: brokerAccount('its password'),
};

describe('renderKafkaProperties', () => {
  it('listens only on the loopback interface and does not create topics automatically', () => {
    const lines = renderKafkaProperties(place).split('\n');

    expect(lines).toContain('listeners=CLIENT://127.0.0.1:20001,CONTROLLER://127.0.0.1:20002');
    expect(lines).toContain('controller.quorum.bootstrap.servers=127.0.0.1:20002');
    expect(lines).toContain('auto.create.topics.enable=false');
    expect(lines).toContain('log.dirs=/data/kafka');
  });

  it('requires authentication on every listener', () => {
    const [, map = ''] =
      /^listener[.]security[.]protocol[.]map=(.*)$/m.exec(renderKafkaProperties(place)) ?? [];

    expect(map.split(',').toSorted()).toEqual([
      'CLIENT:SASL_PLAINTEXT',
      'CONTROLLER:SASL_PLAINTEXT',
    ]);
  });

  it('keeps the positions of webhooks for years', () => {
    const [, minutes] =
      /^offsets[.]retention[.]minutes=(.*)$/m.exec(renderKafkaProperties(place)) ?? [];

    expect(Number(minutes)).toBeGreaterThan(365 * 24 * 60);
  });

  it('escapes characters that Java would interpret', () => {
    const logDirectory = '/home/jürgen/日本/back\\slash';

    expect(renderKafkaProperties({ ...place, logDirectory })).toContain(
      'log.dirs=/home/j\\u00fcrgen/\\u65e5\\u672c/back\\\\slash\n',
    );
  });
});
