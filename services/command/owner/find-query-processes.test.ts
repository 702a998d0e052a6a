import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { createFindQueryProcesses } from './find-query-processes.ts';

const log = pino({ level: 'silent' });
const metadataOf = (address: string) => Buffer.from(JSON.stringify({ address }));

/** Each description of the group lists the metadata of its members; an error is thrown. */
function start(descriptions: (readonly Buffer[] | Error)[]) {
  const connection = {
    async onCoordinator() {
      const next = descriptions.shift() ?? [];
      if (next instanceof Error) throw next;
      return { groups: [{ members: next.map((memberMetadata) => ({ memberMetadata })) }] };
    },
  } as unknown as KafkaConnection;
  return createFindQueryProcesses(connection, 'annals.readers', log);
}

describe('the query processes', () => {
  it('are the current members of their group', async () => {
    const find = start([[], [metadataOf('one'), metadataOf('two')], [metadataOf('two')]]);
    expect([await find(), await find(), await find()]).toEqual([[], ['one', 'two'], ['two']]);
  });

  it('are read again while a rebalance hides the members', async () => {
    const find = start([[Buffer.alloc(0)], [Buffer.alloc(0)], [metadataOf('one')]]);
    expect(await find()).toEqual(['one']);
  });

  it('are those found last if Kafka does not describe the group', async () => {
    const find = start([[metadataOf('one')], new Unavailable('Kafka is away')]);
    await find();
    expect(await find()).toEqual(['one']);
  });
});
