import type { Broker } from 'kafkajs/src/broker/index.js';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { aBatch, aFetchResponse } from '../../test/support/builders/fetch-response.ts';
import type { KafkaConnection } from './connection.ts';
import { BatchDamaged } from './fetch/batch-damaged.ts';
import type { FetchAnswer } from './fetch/decode-fetch.ts';
import { liveRead, readPartitions } from './read-partitions.ts';

/** Each broker returns these bytes for every fetch; broker 1 is the leader. */
function aConnection(
  copies: Readonly<Record<number, Buffer>>,
  replicas?: { readonly all: readonly number[]; readonly inSync: readonly number[] },
): KafkaConnection {
  const every = Object.keys(copies).map(Number);
  const broker = (nodeId: number) =>
    aBroker(nodeId, () => aFetchResponse(copies[nodeId] ?? Buffer.alloc(0)));
  const refused = () => Promise.reject(new Error('not part of this test'));
  return {
    codes: undefined,
    log: pino({ level: 'silent' }),
    versions: () => ({}) as ReturnType<KafkaConnection['versions']>,
    onLeader: (_topic, _partition, request) => request(broker(1)),
    onLeaders: async (partitions, request) => [await request(broker(1), partitions)],
    onBroker: (nodeId, request) => request(broker(nodeId)),
    replicasOf: async () => replicas ?? { all: every, inSync: every },
    onCoordinator: refused,
    onAnyBroker: refused,
    partitionsOf: refused,
    open: refused,
    close: async () => undefined,
  };
}

/** Decodes the bytes as responses of version 11. */
function aBroker(nodeId: number, answer: () => Buffer): Broker {
  const stub = {
    nodeId,
    lookupRequest: () => () => ({ request: { apiVersion: 11 }, response: {} }),
    connectionPool: {
      send: ({ response }: { response: { decode(bytes: Buffer): Promise<FetchAnswer> } }) =>
        response.decode(answer()),
    },
  };
  return stub as unknown as Broker;
}

const whole = Buffer.concat([aBatch(4n), aBatch(6n)]);
const damaged = withFlippedBit(whole);
const position = { topic: 'annals.records', partition: 2, offset: 4n };

function withFlippedBit(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(80) ^ 1, 80);
  return copy;
}

const read = (connection: KafkaConnection, from = position) =>
  readPartitions(connection, [from], liveRead);

const offsetsOf = (messages: readonly { readonly offset: bigint }[] = []) =>
  messages.map(({ offset }) => Number(offset));

describe('readPartitions', () => {
  it('stops before a damaged batch and reports a remedy if no replica has the batch', async () => {
    const error = await read(aConnection({ 1: damaged })).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BatchDamaged);
    expect(error).toMatchObject({
      message: 'damaged on disk at annals.records/2 offset 4 (broker 1)',
      remedy: expect.stringContaining('annals rebuild-log --replace --partition 2'),
    });
  });

  it('returns the messages before the damage', async () => {
    const last = Buffer.concat([aBatch(2n), damaged]);
    const [found] = await read(aConnection({ 1: last }), { ...position, offset: 2n });
    expect(offsetsOf(found?.messages)).toEqual([2, 3]);
    expect(found).toMatchObject({ nextOffset: 4n });
    expect(found?.damage).toBeUndefined();
  });

  it('reports the first offset of the batch when a read begins within it', async () => {
    await expect(read(aConnection({ 1: damaged }), { ...position, offset: 5n })).rejects.toThrow(
      'offset 4 (',
    );
  });

  it('reads from another replica and reports the damaged leader with its remedy', async () => {
    const [found] = await read(aConnection({ 1: damaged, 2: damaged, 3: whole }));
    expect(offsetsOf(found?.messages)).toEqual([4, 5, 6, 7]);
    expect(found?.damage).toMatchObject({
      message: 'damaged on disk at annals.records/2 offset 4 (broker 1)',
      remedy: expect.stringContaining('stop broker 1, delete the directory annals.records-2'),
    });
  });

  it('does not read from an out-of-sync replica', async () => {
    const connection = aConnection({ 1: damaged, 2: whole }, { all: [1, 2], inSync: [1] });
    await expect(read(connection)).rejects.toThrow(BatchDamaged);
  });

  it('reads a valid batch beyond the reported high watermark', async () => {
    const answers = [aFetchResponse(whole, { highWatermark: 4n }), aFetchResponse(whole)];
    const broker = aBroker(1, () => answers.shift() ?? Buffer.alloc(0));
    const connection: KafkaConnection = {
      ...aConnection({ 1: whole }),
      onLeaders: async (partitions, request) => [await request(broker, partitions)],
      onBroker: (_nodeId, request) => request(broker),
    };
    const [found] = await read(connection);
    expect(offsetsOf(found?.messages)).toEqual([4, 5, 6, 7]);
    expect(found?.damage).toBeUndefined();
  });

  it('treats a batch that ends before the position as damaged', async () => {
    await expect(read(aConnection({ 1: aBatch(0n) }))).rejects.toThrow('offset 4 (');
  });
});
