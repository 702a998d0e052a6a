import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kafkaLogDirectory, startKafka } from '../../infra/local/kafka/start-kafka.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';

/** A fake Java whose broker behaves like Kafka 4.1.1 when its controller stops first: it gives up but keeps running. */
const giveUpAndStay = `#!/bin/sh
if [ "$1" = -version ]; then echo 'openjdk version "17.0.1"' >&2; exit 0; fi
trap '' TERM
echo 'ERROR [BrokerServer id=1] Fatal error during broker startup. Prepare to shutdown'
while :; do sleep 0.1; done
`;

let dataDir: string;

beforeEach(() => {
  dataDir = makeTestDirectory();
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('startKafka', () => {
  it('stops a broker that failed to start but keeps running', async () => {
    const env = { ...process.env, JAVA_HOME: makeJava(giveUpAndStay) };
    mkdirSync(kafkaLogDirectory(dataDir), { recursive: true });

    // Fails with the broker's error, not with a timeout.
    await expect(startKafka({ dataDir, env })).rejects.toThrow(
      /^Starting Kafka failed[.] See the end of .*kafka[.]log:/,
    );
  });
});

function makeJava(script: string): string {
  const home = join(dataDir, 'java');
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', 'java'), script, { mode: 0o755 });
  return home;
}
