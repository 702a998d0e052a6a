import { pino } from 'pino';
import { type KafkaAccess, toKafkaAddress } from '../../../infra/local/kafka/kafka-access.ts';
import { openRecordsWriter } from '../../../services/command/writer/open-writers.ts';
import type { PartitionWriter } from '../../../services/command/writer/partition-writer.ts';
import type { RequireRoom } from '../../../services/command/writer/require-room.ts';
import type { Submission } from '../../../services/command/writer/submission.ts';
import { createPool } from '../../../shared/db/pool.ts';
import { watchProjection } from '../../../shared/db/projection-watch.ts';
import { followDirectory } from '../../../shared/directory/directory-follower.ts';
import { decideCreate, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { commandContext } from '../builders/command-context.ts';
import { testCodes } from '../log/test-codes.ts';
import { createProjectorHarness, type ProjectorHarness } from './projector-harness.ts';

/** Writers of one partition, each with its own connections, together with a projector. */
export interface WriterHarness {
  readonly harness: ProjectorHarness;
  readonly databaseUrl: string;
  openWriter(requireRoom?: RequireRoom): PartitionWriter;
  close(): Promise<void>;
}

const silent = pino({ level: 'silent' });

/** Without a projector the database is empty until `harness.startProjector`. */
export async function createWriterHarness(
  access: KafkaAccess,
  serverUrl: string,
  { hasProjector = true } = {},
): Promise<WriterHarness> {
  const harness = await createProjectorHarness(access, serverUrl, 1);
  const databaseUrl = await harness.createDatabase();
  if (hasProjector) harness.startProjector(databaseUrl);
  const kafka = { ...toKafkaAddress(access, 'writer-test'), codes: testCodes };
  const place = { url: databaseUrl, applicationName: 'writer-test' };
  const pool = createPool({ ...place, poolSize: 4 });
  pool.on('error', () => {});
  const projection = watchProjection(place, silent);
  const follower = followDirectory(kafka, harness.topics.directory, silent);
  const writers: PartitionWriter[] = [];

  return {
    harness,
    databaseUrl,
    openWriter(requireRoom: RequireRoom = () => {}) {
      const { topics } = harness;
      const address = 'http://127.0.0.1:1';
      const context = commandContext({
        kafka,
        topics,
        pool,
        projection,
        directory: follower.directory,
        address,
        guard: { seals: () => true, problem: () => undefined },
        log: silent,
        requireRoom,
        now: Date.now,
      });
      const writer = openRecordsWriter(context, (it) => it, 0);
      writer.acquire();
      writers.push(writer);
      return writer;
    },
    async close() {
      await Promise.all(writers.map((writer) => writer.close()));
      await Promise.all([follower.close(), projection.close()]);
      await pool.end();
      await harness.close();
    },
  };
}

/** Creates an account with this id and name. */
export function toCreate(recordId: string, name: string, deadlineMs = 30_000): Submission {
  return {
    ...submission(recordId, deadlineMs),
    isCreation: true,
    decide: (state) => decideCreate(state, { name }),
  };
}

/** Sets the name of an account. */
export function toRename(recordId: string, name: string, deadlineMs = 30_000): Submission {
  return {
    ...submission(recordId, deadlineMs),
    isCreation: false,
    decide: (state) => decideUpdate(live(state, recordId), { name }),
  };
}

function submission(recordId: string, deadlineMs: number) {
  return {
    entityType: 'Account',
    recordId,
    actorId: 'admin',
    commandId: null,
    commandHash: null,
    correlationId: null,
    isRepeat: false,
    deadline: Date.now() + deadlineMs,
  };
}
