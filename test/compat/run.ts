// npm run compat [-- metadata | clients | odd | schemathesis], against a new product:
//   metadata      compares Metadata of the shipped types with the expectations of clients
//   clients       runs published clients
//   odd           sends odd values and names for every attribute and definition
//   schemathesis  runs schemathesis as an administrator and as a user with few permissions
// Settings: FUZZ_SEED, FUZZ_SECONDS (per user and round).
import { createApiClient } from '../support/api-client.ts';
import { fuzzProduct } from '../support/bad-input/fuzz-product.ts';
import { createRandomSource } from '../support/builders/random-source.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { startProduct } from '../support/harness/product.ts';
import { startSubscriber } from '../support/receivers/subscriber.ts';
import { runPublishedClients } from './published/run-published-clients.ts';
import { prepareFuzz } from './schemathesis/prepare-fuzz.ts';
import {
  countCases,
  prepareSchemathesis,
  runSchemathesis,
} from './schemathesis/run-schemathesis.ts';
import { unexplainedDifferences } from './stock-types/unexplained-differences.ts';

/** The coverage phase alone would take minutes, because it tries every value at every limit. */
const rounds = [
  { phases: ['coverage'], maxExamples: 10 },
  { phases: ['examples', 'fuzzing'], maxExamples: 10 },
  { phases: ['stateful'], maxExamples: 500 },
] as const;

const [only] = process.argv.slice(2);
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1e9));
const maxSeconds = Number(process.env['FUZZ_SECONDS'] ?? 100);
const say = (text: string): void => void process.stdout.write(text);

const parts = { metadata: compareMetadata, clients: runClients, odd: sendOdd, schemathesis: fuzz };
if (only !== undefined && !Object.hasOwn(parts, only)) {
  process.stderr.write(`Unknown part "${only}". Parts: ${Object.keys(parts).join(', ')}.\n`);
  process.exit(2);
}
const subscriber = await startSubscriber();
const product = await startProduct({
  infrastructure: 'own',
  env: {
    API_CUSTOM_PREFIX: 'taken',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOWED_ADDRESSES: `example.com:443,${subscriber.address}`,
  },
});
try {
  const lines: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (only === undefined || only === name) lines.push(...(await part()));
  }
  say(`\n${lines.join('\n')}\n`);
} finally {
  await product.remove();
  await subscriber.close();
}

/** Returns the metadata that an administrator gets. */
async function compareMetadata(): Promise<readonly string[]> {
  const client = createApiClient(product.url, withPassword(product.access().admin));
  const { body } = await client.get('/Metadata');
  client.close();
  const differences = unexplainedDifferences(Object(body).entityDefs);
  if (differences.length === 0) return ['ran      metadata: 0 unexplained differences'];
  process.exitCode = 1;
  return [`FAILED   metadata: ${differences.length} unexplained differences`, ...differences];
}

async function runClients(): Promise<readonly string[]> {
  const { lines, isGood } = await runPublishedClients(product.access(), say);
  if (!isGood) process.exitCode = 1;
  return lines;
}

async function sendOdd(): Promise<readonly string[]> {
  const admin = createApiClient(product.url, withPassword(product.access().admin));
  const other = admin.as(withApiKey(product.access().apiKey));
  const random = createRandomSource(seed);
  const problems = await fuzzProduct({ admin, other, random, say });
  admin.close();
  if (problems.length === 0) return ['ran      odd: 0 problems'];
  process.exitCode = 1;
  return [`FAILED   odd: ${problems.length} problems`, ...problems];
}

async function fuzz(): Promise<readonly string[]> {
  const environment = await prepareSchemathesis();
  if ('obstacle' in environment) {
    // A run of this part alone must not succeed if it was skipped.
    if (only === 'schemathesis') process.exitCode = 1;
    return [`skipped  schemathesis: ${environment.obstacle}`];
  }
  const target = await prepareFuzz(product.access(), subscriber.url('/fuzz'));
  const lines: string[] = [];
  for (const user of target.users) {
    for (const round of rounds) {
      const { phases } = round;
      say(`schemathesis as ${user.name}: ${phases.join(', ')}, seed ${seed}, ${maxSeconds} s\n`);
      const plan = { ...round, seed, maxSeconds };
      const { code, output } = await runSchemathesis(environment.python, { target, user, plan });
      if (code !== 0) {
        say(output);
        process.exitCode = 1;
      }
      const result = code === 0 ? 'ran    ' : 'FAILED ';
      const what = `schemathesis as ${user.name} (${phases.join(', ')})`;
      lines.push(`${result}  ${what}: ${countCases(output)} cases, seed ${seed}`);
    }
  }
  return lines;
}
