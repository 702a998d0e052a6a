// The writers of all partitions in one process, as in the command service, without its other parts.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { RecordCache } from '../../../services/command/writer/memory/record-cache.ts';
import {
  openPartitionLog,
  type PartitionLog,
} from '../../../services/command/writer/partition-log.ts';
import { PartitionWriter } from '../../../services/command/writer/partition-writer.ts';
import { createRecordIds } from '../../../services/command/writer/record-ids.ts';
import { decideCreate } from '../../../shared/domain/record/decide.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { baselineVersions } from '../../../shared/events/schema-versions.ts';
import { writerMemory } from '../../support/harness/writer-memory.ts';
import type { AppendFigures, AppendRequest } from '../append/bench-append.ts';
import { benchKafka } from '../bench-kafka.ts';
import { contactValues } from '../contact-values.ts';
import { percentile, rounded } from '../median.ts';
import { serveParent } from './serve-parent.ts';

const CACHED_RECORDS = 20_000;
const logger = pino({ level: 'error' }, pino.destination(2));
const contacts = contactValues(1000);
const ids = createRecordIds(Date.now, 1);
const appended = { events: 0, bytes: 0 };
let writers: readonly PartitionWriter[] | undefined;
let turn = 0;

serveParent(async (request: AppendRequest): Promise<AppendFigures> => {
  writers ??= await openWriters(request);
  const opened = writers;
  const latenciesMs: number[] = [];
  const measureFrom = performance.now() + request.warmUpMs;
  const measureTo = measureFrom + request.measuredMs;
  const submitInTurn = async (): Promise<void> => {
    for (let now = performance.now(); now < measureTo; ) {
      const submittedAt = now;
      await submitOne(opened);
      now = performance.now();
      if (now > measureFrom && now <= measureTo) latenciesMs.push(now - submittedAt);
    }
  };
  await Promise.all(Array.from({ length: request.outstanding }, submitInTurn));
  return {
    perSecond: Math.round((latenciesMs.length / request.measuredMs) * 1000),
    p50Ms: rounded(percentile(latenciesMs, 0.5), 1),
    p99Ms: rounded(percentile(latenciesMs, 0.99), 1),
    bytes: Math.round(appended.bytes / appended.events),
  };
});

async function submitOne(opened: readonly PartitionWriter[]): Promise<void> {
  const recordId = ids.next();
  const values = contacts[turn++ % contacts.length] ?? {};
  await opened[partitionOf(recordId, opened.length)]?.submit({
    entityType: 'Contact',
    recordId,
    isCreation: true,
    actorId: 'bench',
    commandId: null,
    commandHash: null,
    correlationId: null,
    isRepeat: false,
    deadline: Date.now() + 30_000,
    decide: (state) => decideCreate(state, values),
  });
}

async function openWriters(request: AppendRequest): Promise<readonly PartitionWriter[]> {
  const opened = Array.from({ length: request.partitions }, (_, partition) =>
    openWriter(request, partition),
  );
  while (!opened.every((writer) => writer.isOwned())) await sleep(20);
  return opened;
}

function openWriter({ kafka, topic }: AppendRequest, partition: number): PartitionWriter {
  const address = benchKafka(kafka);
  const projected = () => 2n ** 62n;
  const writer = new PartitionWriter({
    ...writerMemory(projected),
    log: countingLog(openPartitionLog(address, { topic, partition }, logger)),
    cache: new RecordCache({
      read: async () => undefined,
      projected,
      waitProjected: async () => {},
      maxEntries: CACHED_RECORDS,
    }),
    startFrom: async () => ({ ...emptyFold, offset: 0n }),
    owner: 'bench',
    address: 'http://127.0.0.1:1',
    newToken: () => randomBytes(8).toString('hex'),
    seals: () => false,
    versions: () => baselineVersions,
    obstacle: () => undefined,
    newEventId: randomUUID,
    now: Date.now,
    limits: { maxEvents: 1000, maxBytes: 900_000 },
    pause: () => sleep(100),
    logger,
  });
  writer.acquire();
  return writer;
}

function countingLog(log: PartitionLog): PartitionLog {
  return {
    ...log,
    append(messages) {
      appended.events += messages.length;
      for (const { key, value } of messages) appended.bytes += key.length + value.length;
      return log.append(messages);
    },
  };
}
