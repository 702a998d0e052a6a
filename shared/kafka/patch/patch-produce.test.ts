import type { ProduceContent, ProducedMessage } from 'kafkajs/src/broker/index.js';
import { requests } from 'kafkajs/src/protocol/requests/index.js';
import { expect, test } from 'vitest';
import { patchProduce } from './patch-produce.ts';

const theirs = requests.Produce;
patchProduce();
const ours = requests.Produce;

const at = 1_765_000_000_000;
const some: readonly ProducedMessage[] = [
  { key: 'record-1', value: Buffer.from('first'), timestamp: at },
  { key: Buffer.from('clé'), value: Buffer.alloc(0), timestamp: at + 70 },
  { key: null, value: null, timestamp: at + 9_000_000 },
  { value: 'ünd als Text', timestamp: `${at + 3}` },
  { key: '', value: Buffer.alloc(300, 'ü'), timestamp: at, headers: {} },
  {
    key: 'k',
    value: Buffer.from('v'),
    timestamp: at,
    headers: { reason: 'naïve', id: Buffer.from('1') },
  },
];
const many = Array.from({ length: 9_000 }, (_, index) => ({
  key: `record-${index}`,
  value: Buffer.from('x'.repeat(index % 700)),
  timestamp: at + index,
}));
const plain: ProduceContent = {
  acks: -1,
  timeout: 5_000,
  topicData: [{ topic: 'annals.records', partitions: [{ partition: 3, messages: some }] }],
};
const transaction: ProduceContent = {
  acks: -1,
  timeout: 30_000,
  transactionalId: 'annals.dispatcher.queue',
  producerId: '9007199254740993',
  producerEpoch: 17,
  compression: 0,
  topicData: [
    {
      topic: 'annals.webhook-batches',
      partitions: [
        { partition: 0, firstSequence: 2_147_480_000, messages: many },
        { partition: 2, firstSequence: 5, messages: some },
      ],
    },
    { topic: 'annals.webhook-sequences', partitions: [{ partition: 0, messages: some }] },
  ],
};

async function encode(definition: typeof theirs, version: number, content: ProduceContent) {
  const { request } = definition.protocol({ version })(content);
  return { ...request, bytes: (await request.encode()).buffer };
}

test.for([
  ['a plain append', plain],
  ['a transaction over several partitions', transaction],
  ['a topic without messages', { ...plain, topicData: [{ topic: 'empty', partitions: [] }] }],
] as const)('encodes %s as kafkajs does', async ([, content]) => {
  for (const version of [3, 5, 7]) {
    const expected = await encode(theirs, version, content);
    const found = await encode(ours, version, content);
    expect(found.bytes.equals(expected.bytes)).toBe(true);
    expect(found.apiKey).toBe(expected.apiKey);
  }
});

test('leaves compressed requests to kafkajs', async () => {
  const content = { ...plain, compression: 1 };
  const expected = await encode(theirs, 7, content);
  const found = await encode(ours, 7, content);
  expect(found.bytes.equals(expected.bytes)).toBe(true);
});

test('patches kafkajs only once', () => {
  patchProduce();
  expect(requests.Produce).toBe(ours);
});
