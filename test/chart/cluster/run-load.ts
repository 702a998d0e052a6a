/**
 * Runs in a pod of the cluster: `node run-load.ts <url> <API key>`. Writes until stdin ends. Prints a line of JSON with the
 * number of acknowledged writes every 200 ms, and the outcome as the last line.
 */
import { once } from 'node:events';
import { longestGapDuring } from '../../compose/longest-gap.ts';
import { createApiClient } from '../../support/api-client.ts';
import { withApiKey } from '../../support/credentials.ts';
import { type AttemptedWrite, startWriteLoad } from '../../support/write-load.ts';

export interface LoadProgress {
  readonly acknowledged: number;
}

export interface LoadOutcome {
  readonly writes: readonly AttemptedWrite[];
  readonly complaints: readonly string[];
  readonly longestGapMs: number;
}

const [url = '', apiKey = ''] = process.argv.slice(2);
const api = createApiClient(url, withApiKey({ apiKey }));
const load = startWriteLoad(api, []);
const print = (line: LoadProgress | LoadOutcome): void =>
  void process.stdout.write(`${JSON.stringify(line)}\n`);
const progress = setInterval(() => print({ acknowledged: load.acknowledged() }), 200);
const longestGapMs = await longestGapDuring(load, async () => {
  process.stdin.resume();
  await once(process.stdin, 'end');
});
await load.stop();
clearInterval(progress);
api.close();
print({ writes: load.writes, complaints: load.complaints, longestGapMs });
