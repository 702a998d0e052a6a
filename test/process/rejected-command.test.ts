import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { aCreation, anUpdateAfter } from '../support/builders/record-event-builder.ts';
import {
  createProjectorHarness,
  type ProjectorHarness,
} from '../support/harness/projector-harness.ts';
import { type CliResult, runCli } from '../support/harness/run-cli.ts';

let harness: ProjectorHarness;
let database: string;

const created = aCreation('Account', { name: 'One' });
const tooEarly = { ...anUpdateAfter(created, { name: 'Three' }), version: 3 };

beforeEach(async () => {
  harness = await createProjectorHarness(inject('kafka'), inject('databaseUrl'));
  database = await harness.createDatabase();
});

afterEach(async () => harness.close());

function annals(...args: readonly string[]): Promise<CliResult> {
  return runCli(['rejected', ...args], {
    ...toKafkaVariables(inject('kafka')),
    DATABASE_URL: database,
    ANNALS_TOPIC_PREFIX: harness.topics.records.replace('.records', ''),
  });
}

async function json(...args: readonly string[]) {
  const { code, stdout } = await annals(...args, '--json');
  return { code, result: JSON.parse(stdout) };
}

it('rejected list and rejected show return the entries that the projector quarantined', async () => {
  for (const script of [harness.directory, ...harness.records]) await script.fence();
  await harness.records[0]?.events(created, tooEarly);
  await harness.records[1]?.bytes(Buffer.from('poison'));
  await harness.records[1]?.bytes(Buffer.from('c301ffffffffffffffff00', 'hex'));
  harness.startProjector(database);
  await harness.untilProjected(database);
  const at = (partition: number, offset: number) => ({
    id: `${harness.topics.records}/${partition}/${offset}`,
    topic: harness.topics.records,
    partition,
    offset,
    entityType: null,
    recordId: null,
    acknowledged: false,
  });
  const impossible = { ...at(0, 2), reason: 'version 3 instead of 2' };
  const foreign = { ...at(1, 1), reason: 'not in Avro single-object encoding', bytes: 6 };
  const newer = { ...at(1, 2), reason: 'unknown schema fingerprint ffffffffffffffff', bytes: 11 };

  const { code, result: listed } = await json('list');
  expect({ code, listed }).toEqual({
    code: 0,
    listed: { total: 3, list: [{ ...impossible, bytes: expect.any(Number) }, foreign, newer] },
  });
  const { stdout } = await annals('list');
  expect(stdout.split('\n').slice(1)).toEqual([
    `${foreign.id}: 6 bytes, not in Avro single-object encoding`,
    `${newer.id}: 11 bytes, unknown schema fingerprint ffffffffffffffff`,
    '3 rejected entries.',
    '',
  ]);

  const { result: shown } = await json('show', newer.id, impossible.id, foreign.id, newer.id);
  expect(shown.list).toEqual([
    { ...newer, kind: 'unreadable', hex: 'c301ffffffffffffffff00' },
    expect.objectContaining({
      ...impossible,
      kind: 'event',
      event: expect.objectContaining({ recordId: created.recordId, changes: tooEarly.changes }),
    }),
    { ...foreign, kind: 'unreadable', text: 'poison' },
  ]);
  expect(JSON.parse((await annals('show', foreign.id)).stdout)).toEqual(shown.list[2]);

  const missing = await annals('show', foreign.id, at(0, 1).id);
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing.stderr).toMatch(/^Entry \S+\/0\/1 was not rejected: [^\n]+\n$/);
});

it('rejected list reports a missing read model', async () => {
  const { code, stdout, stderr } = await annals('list');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The read model is being prepared[.] [^\n]+\n$/);
});
