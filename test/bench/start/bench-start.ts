import { rmSync } from 'node:fs';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { makeTestDirectory } from '../../support/harness/test-infrastructure.ts';
import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { median, rounded } from '../median.ts';
import { startInfrastructureAlone } from './start-infrastructure-alone.ts';
import { startToFirstAnswer } from './start-to-first-answer.ts';

/**
 * Measures `npm start` on a directory with data, until the first response, compared with its Kafka and
 * Postgres alone.
 */
export async function benchStart(context: BenchContext): Promise<BenchFigures> {
  const dataDir = makeTestDirectory();
  context.opened(async () => rmSync(dataDir, { recursive: true, force: true }));
  const { port } = await choosePorts(['port'], {});
  const coldSeconds = await startToFirstAnswer(context, { dataDir, port });
  context.report(`very first start: ${coldSeconds} s`);

  const rounds = await alternate(context, {
    rounds: 3,
    async product(round) {
      const seconds = await startToFirstAnswer(context, { dataDir, port });
      context.report(`start ${round}: ${seconds} s`);
      return seconds;
    },
    async yardstick(round) {
      const seconds = await startInfrastructureAlone(dataDir);
      context.report(`Kafka and Postgres alone ${round}: ${seconds} s`);
      return seconds;
    },
  });
  const value = median(rounds.product);
  const yardstick = median(rounds.yardstick);
  return {
    value,
    unit: 's to the first response, warm',
    yardstick,
    ratio: rounded(yardstick / value, 2),
    target: 'below 15 s',
    coldSeconds,
  };
}
