/**
 * Copies the bytes of files from the log to the file store, or back (docs/adr/0062):
 *
 *   to store:  chunks in Postgres ──put, checked──▶ store, then delete the chunks
 *   to log:    store ──hash, then append──▶ topic ──projector──▶ chunks in Postgres
 *
 * Readers look in both places, so a run can be killed at any point and repeated: it continues with the files that the
 * target lacks. Neither direction deletes the source that a backup may need: the topic and the store keep the bytes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { measureDisks } from '../../../services/system/status/measure-disks.ts';
import { type Queryable, withConnection } from '../../../shared/db/pool.ts';
import { tryLock } from '../../../shared/db/try-lock.ts';
import { createAppendFile } from '../../../shared/files/append-file.ts';
import { digestPieces, provenPieces } from '../../../shared/files/file-pieces.ts';
import { damaged, type NamedFile } from '../../../shared/files/file-reads.ts';
import type { ExternalStore, PutFile } from '../../../shared/files/file-store.ts';
import { countStoredBytes, deleteChunks, readChunks } from '../../../shared/files/log-chunks.ts';
import { requireOwner } from '../../../shared/files/owned-store.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { countProgress } from '../progress.ts';
import { lockRun } from '../rebuild-log/work-schema.ts';
import { forEachFile, HashList, listFiles, withFilePool } from './list-files.ts';
import { withStore } from './with-store.ts';

export type MoveTarget = 'store' | 'log';

export interface MovedFiles {
  readonly store: string;
  readonly moved: number;
  readonly bytes: number;
  /** Files that were in the target before. */
  readonly present: number;
  /** Files that neither place has completely. */
  readonly missing: HashList;
}

type Outcome = 'moved' | 'present' | 'missing';
type Move = (file: NamedFile) => Promise<Outcome>;

/** Throws OperatorError without a store, for a store of another installation, or while another run is active. */
export async function moveFiles(context: CommandContext, to: MoveTarget): Promise<MovedFiles> {
  const { installation } = context;
  return withStore(installation, (store) =>
    withConnection(installation.connect, async (client) => {
      if (!(await tryLock(client, MOVE_LOCK))) throw new OperatorError('Another move is running.');
      // Chunks must not be appended to a log that is being rewritten.
      await lockRun(client);
      await requireOwner(store, client);
      const total = await listFiles(client);
      return countProgress(context.progress('Moving'), total, (add) =>
        to === 'store'
          ? withFilePool(installation, (pool) =>
              moveEach(client, { store, add }, toStore(pool, store)),
            )
          : withAppend(installation, (append) =>
              withFilePool(installation, (pool) =>
                moveEach(client, { store, add }, toLog(pool, { store, append, installation })),
              ),
            ),
      );
    }),
  );
}

/** An arbitrary number, identical for all runs. */
const MOVE_LOCK = 0x616e6e68;

async function moveEach(
  client: Client,
  { store, add }: { readonly store: ExternalStore; readonly add: (files: number) => void },
  move: Move,
): Promise<MovedFiles> {
  const missing = new HashList();
  let [moved, present, bytes] = [0, 0, 0];
  await forEachFile(client, async (file) => {
    const outcome = await move(file);
    if (outcome === 'missing') missing.add(file);
    else if (outcome === 'present') present += 1;
    else {
      moved += 1;
      bytes += file.size;
    }
    add(1);
  });
  return { store: store.name, moved, bytes, present, missing };
}

/** A file is deleted from Postgres only once the store has all of its bytes, whose hash `put` has checked. */
function toStore(pool: Queryable, store: ExternalStore): Move {
  return async (file) => {
    const { sha256, size } = file;
    const isInLog = (await countStoredBytes(pool, sha256)) >= size;
    if (!isInLog) return (await store.sizeOf(sha256)) === size ? 'present' : 'missing';
    // Even if the store has a file of this size, because its bytes may be damaged.
    await store.put({ ...file, pieces: readChunks(pool, sha256, { from: 0, to: size }) });
    await deleteChunks(pool, sha256);
    return 'moved';
  };
}

const POLL_MS = 100;

interface ToLog {
  readonly store: ExternalStore;
  readonly append: PutFile;
  readonly installation: Installation;
}

/** Chunks in the log must never have other bytes than their hash says, so the bytes are checked before the first one. */
function toLog(pool: Queryable, { store, append, installation }: ToLog): Move {
  return async (file) => {
    const { sha256, size } = file;
    if ((await countStoredBytes(pool, sha256)) >= size) return 'present';
    if ((await store.sizeOf(sha256)) !== size) return 'missing';
    await requireRoom(installation);
    const read = () => store.read(sha256, { from: 0, to: size });
    const digest = await digestPieces(read());
    if (digest.sha256 !== sha256) throw damaged(file);
    await append({ ...file, pieces: provenPieces(read(), digest) });
    // Without the projector, the run waits here, so that its end means that all files can be read from the log.
    while ((await countStoredBytes(pool, sha256)) < size) await sleep(POLL_MS);
    return 'moved';
  };
}

async function requireRoom({ storage }: Installation): Promise<void> {
  const full = (await measureDisks(storage)).find(({ isLow }) => isLow);
  if (full === undefined) return;
  throw new OperatorError(
    `The disk of ${full.path} is nearly full: free some space, then run the command again.`,
  );
}

async function withAppend<Result>(
  { kafka, topics, log }: Installation,
  work: (append: PutFile) => Promise<Result>,
): Promise<Result> {
  const connection = createKafkaConnection(kafka, log);
  try {
    const requireRoomAlready = () => undefined;
    const place = { kafka: connection, topic: topics.files, requireRoom: requireRoomAlready };
    return await work(createAppendFile(place, () => undefined));
  } finally {
    await connection.close();
  }
}
