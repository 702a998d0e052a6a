import { Refusal } from '../../shared/domain/errors.ts';
import { attachmentType } from '../../shared/domain/field/types/file/file-parts.ts';
import { ratesIn } from '../../shared/domain/input/currency-rates.ts';
import { commands, type OwnerContext } from './commands.ts';
import { createAttachmentHandlers } from './files/attachment-handlers.ts';
import type { Append } from './forwarding/append.ts';
import { createExecute } from './forwarding/execute-command.ts';
import type { Execute } from './forwarding/send-to-owner.ts';
import { linkResolver, teamsIn } from './records/input/creation-checks.ts';
import { createFindDuplicates } from './records/input/find-duplicates.ts';
import { requireEditable } from './records/input/resolve-links.ts';
import { createLogRecordHandlers } from './records/log-record-handlers.ts';
import { createNumberSource } from './records/numbers/number-source.ts';
import type { LogRecordHandlers, RecordHandlers } from './records/record-handlers.ts';
import { createNoteHandlers } from './stream/note-handlers.ts';
import { recordReader } from './stream/read-following.ts';
import type { WebhookHandlerDeps } from './webhooks/webhook-handlers.ts';
import type { CommandDeps } from './wire-deps.ts';
import { wireDirectoryRecords } from './wire-directory-records.ts';
import type { PartitionWriter } from './writer/partition-writer.ts';
import type { createRecordIds } from './writer/record-ids.ts';

/** Handlers of this instance's commands, for all entity types. */
export function wireExecute(
  deps: CommandDeps,
  {
    writers,
    appendToDirectory,
    webhooks,
    ids,
  }: {
    readonly writers: readonly PartitionWriter[];
    readonly appendToDirectory: Append;
    readonly webhooks: WebhookHandlerDeps;
    readonly ids: ReturnType<typeof createRecordIds>;
  },
): Execute {
  const { directory } = deps.follower;
  const records = wireRecordHandlers(deps, writers, ids.inPartition);
  const readRecord = recordReader(deps.pool, directory);
  const attachments = createAttachmentHandlers(records);
  const byType = new Map<string, RecordHandlers>([
    ...wireDirectoryRecords(deps, { appendToDirectory, webhooks, newId: ids.next }),
    ['Note', createNoteHandlers(records, { readRecord, directory })],
    [attachmentType, attachments],
  ]);
  return createExecute<OwnerContext>(commands, {
    recordsOf: ({ name, definition }) => {
      // A custom entity type may have had the name before Annals shipped one.
      const found = definition.isCustom === true ? undefined : byType.get(name);
      if (found !== undefined) return found;
      if (definition.log === 'records') return records;
      throw new Refusal('forbidden', 'access.denied', `${name} has an API of its own.`);
    },
    append: records.append,
    appendToDirectory,
    attachments,
    webhooks,
    directory,
    resolveLinks: linkResolver(deps.pool, directory),
    teamsOf: teamsIn(directory),
    currencies: () => ratesIn(directory),
    now: Date.now,
  });
}

function wireRecordHandlers(
  deps: CommandDeps,
  writers: readonly PartitionWriter[],
  newIdIn: (partition: number) => string,
): LogRecordHandlers {
  const { config, follower, pool, projection, partitions } = deps;
  const { directory } = follower;
  const topic = config.topics.records;
  const numbers = createNumberSource({ pool, partitions });
  const numbered = writers.map((writer, partition) => ({
    partition,
    token: () => writer.token(),
    caughtUp: () => projection.passed(topic, partition, writer.position().offset - 1n),
  }));
  return createLogRecordHandlers({
    writers,
    newIdIn,
    findDuplicates: createFindDuplicates({ pool, directory }),
    reserveNumber: (model, attribute, only) =>
      numbers.reserve(
        model,
        attribute,
        numbered.filter(({ partition }) => only === undefined || partition === only),
      ),
    teamsOf: teamsIn(directory),
    currencies: () => ratesIn(directory),
    resolveLinks: linkResolver(pool, directory),
    requireEditable: (request) => requireEditable({ pool, directory }, request),
  });
}
