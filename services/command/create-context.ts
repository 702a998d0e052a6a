import type { Pool } from 'pg';
import { findCommandKeys } from '../../shared/db/find-command.ts';
import { readRecordState } from '../../shared/db/read-record-state.ts';
import { attachmentType } from '../../shared/domain/field/types/file/file-parts.ts';
import { commandKey } from '../../shared/domain/record/command-key.ts';
import { decodeReplayProgress } from '../../shared/events/replay-progress.ts';
import { createAppendFile } from '../../shared/files/append-file.ts';
import type { PutFile } from '../../shared/files/file-store.ts';
import { createPutIntoStore } from '../../shared/files/owned-store.ts';
import { createKafkaConnection, type KafkaConnection } from '../../shared/kafka/connection.ts';
import { queryGroupId } from '../../shared/kafka/group/service-groups.ts';
import { endOffset } from '../../shared/kafka/read-partitions.ts';
import { readCompacted } from '../../shared/kafka/read-whole.ts';
import { createTargetGuard } from '../../shared/net/create-target-guard.ts';
import { runPeriodically } from '../../shared/runtime/run-periodically.ts';
import { findIds } from '../../shared/search/find-ids.ts';
import type { BaseContext, CommandContext, StartedContext } from './context.ts';
import { finishConversions } from './conversion/finish-conversions.ts';
import { copyRecord } from './copies/copy-record.ts';
import { saveLayout } from './definitions/definition-routes.ts';
import { saveExport } from './files/attachment-routes.ts';
import { createScanFile } from './files/scan-file.ts';
import { importAction } from './import/import-plan.ts';
import { runImport } from './import/run-import.ts';
import { expireOptIns } from './lead-capture/expire-opt-ins.ts';
import { createLoginWrites } from './logins/login-writes.ts';
import { inviteUser } from './logins/send-link.ts';
import { keepSendingAddressNotices } from './mail/address-notices.ts';
import { measureQueue } from './mail/measure-queue.ts';
import { keepSendingEmails } from './mail/send-emails.ts';
import { createSmtpClient } from './mail/smtp-client.ts';
import { massActionType } from './mass-actions/mass-action.ts';
import { createMassActionWorker } from './mass-actions/mass-action-worker.ts';
import { linkFound } from './mass-actions/mass-link.ts';
import { endMergesOf, findReferring, finishMerges } from './merge/finish-merges.ts';
import { saveNotificationMarks } from './notifications/notification-routes.ts';
import { isPossibleId, requirePossibleId } from './owner/append.ts';
import { createFindQueryProcesses } from './owner/find-query-processes.ts';
import { createCommandForwarder } from './owner/forward-command.ts';
import { Ownership } from './owner/ownership.ts';
import { CommandSender } from './owner/send-to-owner.ts';
import { openPeerDirectories } from './owner/wait-for-peers.ts';
import { createUntilCaughtUp, type LogEnds } from './owner/wait-for-read-model.ts';
import { recordsOf } from './record-handlers.ts';
import { createCheckCreation, createInputReads } from './records/input/creation-checks.ts';
import { createNextPartition } from './records/numbers/next-partition.ts';
import { createReserveNumber } from './records/numbers/number-source.ts';
import { createSingleSignOn } from './single-sign-on/single-sign-on.ts';
import { createFollowingReads } from './stream/read-following.ts';
import { keepSwitchingOffWebhooks } from './webhooks/switch-off-webhooks.ts';
import { createWebhookUrlValidator } from './webhooks/validate-webhook-url.ts';
import { createEnqueue } from './webhooks/webhook-deliveries.ts';
import { createMeasuredLog, measureWriters } from './writer/measure-writers.ts';
import { openDirectoryWriter, openRecordsWriter } from './writer/open-writers.ts';
import type { PartitionWriter } from './writer/partition-writer.ts';
import { createRecordIds } from './writer/record-ids.ts';

/** Builds the context of the command side, once per process, and starts its background work. */
export function createContext(started: StartedContext): CommandContext {
  const { config, directory, lifecycle, log, partitions, pool, searchPool, topics } = started;
  const ids = createRecordIds(started.now, partitions);
  const reads = createInputReads(started);
  const ends = openLogEnds(started);
  const untilCaughtUp = createUntilCaughtUp(started, ends);
  const writers = openWriters(started);
  const ownership = openOwnership(started, writers);
  const connection = (what: string): KafkaConnection => {
    const opened = createKafkaConnection(started.kafka, log);
    lifecycle.opened(`connection for ${what}`, opened.close);
    return opened;
  };
  const readState: CommandContext['readState'] = async (model, id) => {
    requirePossibleId(id);
    return readRecordState(pool, { model, id }, directory.entity);
  };
  const base: BaseContext = {
    ...started,
    ...reads,
    ...ends,
    ...writers,
    ...createFollowingReads(pool, directory),
    recordsOf,
    ownership,
    ...openConnectionsToOwners(started, ownership, connection('query processes')),
    sender: new CommandSender(() => context),
    newId: ids.next,
    newIdIn: ids.inPartition,
    nextPartition: createNextPartition(writers.writers),
    reserveNumber: createReserveNumber(started, writers.writers),
    untilCaughtUp,
    readState,
    async findIds(search) {
      await untilCaughtUp(started.now() + started.timeoutMs);
      return findIds({ pool: searchPool.of(search.actor), findModel: directory.entity }, search);
    },
    checkCreation: createCheckCreation(reads),
    async readMassAction(id) {
      const model = directory.entity(massActionType);
      return model && isPossibleId(id) ? readState(model, id) : undefined;
    },
    findDone: (actorId, commandIds) => findDone(pool, actorId, commandIds),
    linkFound: (found) => linkFound(found, context),
    inviteUser: (user) => inviteUser(context, user),
    copyRecord: (command, copying) => copyRecord(command, copying, context),
    findReferring: (holder, relinking) => findReferring(pool, holder, relinking),
    endMergesOf: (command) => endMergesOf(command, context),
    ...createFileWrites(started, connection('files')),
    saveExport: (request, file) => saveExport(context, request, file),
    saveLayout: (request, change) => saveLayout(context, request, change),
    saveNotificationMarks: (request, change) => saveNotificationMarks(context, request, change),
    validateUrl: createWebhookUrlValidator(createTargetGuard(config.targets)),
    enqueue: createEnqueue(connection('redeliveries'), topics.webhookBatches, partitions),
    readProgress: createReadProgress(connection('replays'), topics.webhookReplays),
  };
  const context: CommandContext = {
    ...base,
    massActionWorker: createMassActionWorker(base, new Map([[importAction, runImport]])),
    logins: createLoginWrites(base),
    singleSignOn: createSingleSignOn(started),
  };
  lifecycle.opened('mass actions', context.massActionWorker.close);
  startPeriodicTasks(context);
  lifecycle.opened('baseless webhooks', keepSwitchingOffWebhooks(context).close);
  openMail(context);
  return context;
}

interface Writers {
  readonly writers: readonly PartitionWriter[];
  readonly directoryWriter: PartitionWriter;
}

function openWriters(started: StartedContext): Writers {
  const { guard, lifecycle, metrics, partitions } = started;
  const measured = createMeasuredLog(metrics);
  const writers = Array.from({ length: partitions }, (_, partition) =>
    openRecordsWriter(started, measured, partition),
  );
  const directoryWriter = openDirectoryWriter(started, measured);
  const all = [...writers, directoryWriter];
  // An idle writer would not detect that its partition must be sealed.
  guard.onMark(() => all.forEach((writer) => void writer.checkOwnership()));
  lifecycle.opened('writers', () => Promise.all(all.map((writer) => writer.close())));
  return { writers, directoryWriter };
}

/** Reads the current end offsets of the logs from the broker. */
function openLogEnds({ kafka, lifecycle, log, partitions, topics }: StartedContext): LogEnds {
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for offsets', connection.close);
  const recordsEnd = async (_: unknown, partition: number) =>
    endOffset(connection, topics.records, partition);
  return {
    recordsEnd: () => Promise.all(Array.from({ length: partitions }, recordsEnd)),
    directoryEnd: () => endOffset(connection, topics.directory, 0),
  };
}

function openOwnership(started: StartedContext, { writers, directoryWriter }: Writers): Ownership {
  const { lifecycle, metrics, topics } = started;
  const byResource = new Map([
    [`${topics.directory}/0`, directoryWriter],
    ...writers.map((writer, partition) => [`${topics.records}/${partition}`, writer] as const),
  ]);
  measureWriters(metrics, byResource);
  const ownership = new Ownership(started, byResource);
  lifecycle.opened('ownership', () => ownership.close());
  return ownership;
}

function openConnectionsToOwners(
  { config, lifecycle, log, secrets }: StartedContext,
  ownership: Ownership,
  connection: KafkaConnection,
) {
  const internalToken = secrets.internalToken();
  const groupId = queryGroupId(config.topicPrefix);
  const findQueryProcesses = createFindQueryProcesses(connection, groupId, log);
  const forwarder = createCommandForwarder(internalToken, () => ownership.owners());
  lifecycle.opened('connections to owners', forwarder.close);
  const peers = openPeerDirectories(internalToken, async () => [
    ...ownership.others(),
    ...(await findQueryProcesses()),
  ]);
  lifecycle.opened('connections to the other processes', peers.close);
  return { forwarder, peers };
}

function createReadProgress(connection: KafkaConnection, topic: string) {
  return async () => readCompacted(connection, topic, decodeReplayProgress);
}

function createFileWrites(started: StartedContext, connection: KafkaConnection) {
  const scanFile = createScanFile(started.config.scanCommand);
  return { scanFile, putFile: createPutFile(started, connection) };
}

function createPutFile(started: StartedContext, connection: KafkaConnection): PutFile {
  const { metrics, pool, requireRoom: requireRoomFor, store, topics } = started;
  let uploadedBytes = 0;
  metrics.read('annals_file_uploaded_bytes_total', () => uploadedBytes);
  const count = (bytes: number): void => {
    uploadedBytes += bytes;
  };
  const requireRoom = () => requireRoomFor(attachmentType);
  if (store === undefined)
    return createAppendFile({ kafka: connection, topic: topics.files, requireRoom }, count);
  const put = createPutIntoStore(store, pool);
  return async (file) => {
    // The record of the file needs room in the log.
    requireRoom();
    await put(file);
    count(file.size);
  };
}

/** Sends the e-mails in the queue if there is a mail server. */
function openMail(context: CommandContext): void {
  const { config, lifecycle } = context;
  measureQueue(context);
  if (config.mail === undefined) return;
  lifecycle.opened('e-mails', keepSendingEmails(context, createSmtpClient(config.mail)).close);
  lifecycle.opened('notices of changed addresses', keepSendingAddressNotices(context).close);
}

/** Completes conversions and merges that were decided but not finished, and removes the values of expired opt-ins. */
function startPeriodicTasks(context: CommandContext): void {
  const { lifecycle, log } = context;
  for (const [what, task] of [
    ['unfinished conversions', async () => finishConversions(context)],
    ['unfinished merges', async () => finishMerges(context)],
    ['expired opt-ins', async () => expireOptIns(context)],
  ] as const) {
    lifecycle.opened(what, runPeriodically(task, { log, what }).close);
  }
}

async function findDone(
  pool: Pool,
  actorId: string,
  commandIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const keyOf = (id: string) => commandKey(actorId, id);
  const found = await findCommandKeys(pool, commandIds.map(keyOf));
  return new Set(commandIds.filter((id) => found.has(keyOf(id))));
}
