import { expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import { expireOptIns } from './expire-opt-ins.ts';

interface Situation {
  readonly ids: readonly string[];
  readonly isOwned?: boolean;
  /** The errors of the commands for these ids. */
  readonly errors?: Readonly<Record<string, Error>>;
}

function expiring({ ids, isOwned = true, errors = {} }: Situation) {
  const sent: unknown[] = [];
  const logged: unknown[] = [];
  const context = commandContext({
    clock: { now: () => 3_600_000 },
    now: () => 0,
    directory: createDirectory(stockDefinitions),
    directoryWriter: { isOwned: () => isOwned },
    log: { info: (fields: unknown) => logged.push(fields) },
    pool: { query: async () => ({ rows: ids.map((id) => ({ id })) }) },
    sender: senderOf(async ({ name }, { actor, id = '', model, body }) => {
      sent.push([name, actor.id, model.name, id, body]);
      if (errors[id] !== undefined) throw errors[id];
      return Object({});
    }),
  });
  return { run: () => expireOptIns(context), sent, logged };
}

const commandFor = (id: string) => [
  'expire-opt-in',
  'system',
  'LeadOptIn',
  id,
  { atMs: 3_600_000 },
];

it('expires every opt-in that was found, also after one that is quarantined', async () => {
  const refusal = new Refusal('conflict', 'record.quarantined', 'quarantined');
  const { run, sent, logged } = expiring({ ids: ['a', 'b', 'c'], errors: { a: refusal } });
  await run();
  expect(sent).toEqual(['a', 'b', 'c'].map(commandFor));
  expect(logged).toEqual([{ optIns: 3, refused: 1 }]);
});

it('stops at the first outage, so that the next round continues', async () => {
  const ids = Array.from({ length: 20 }, (_, nth) => `id-${nth}`);
  const outage = new Unavailable('Kafka is away');
  const { run, sent } = expiring({
    ids,
    errors: Object.fromEntries(ids.map((id) => [id, outage])),
  });
  await expect(run()).rejects.toBe(outage);
  expect(sent.length).toBeLessThan(ids.length);
});

it('does nothing in a process that does not own the directory', async () => {
  const { run, sent, logged } = expiring({ ids: ['a'], isOwned: false });
  await run();
  expect([sent, logged]).toEqual([[], []]);
});
