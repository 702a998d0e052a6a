import { checkRole, requireReadLevels } from '../../shared/domain/access/check-role.ts';
import { leadCaptureType } from '../../shared/domain/entity/stock/lead-capture.ts';
import { Refusal } from '../../shared/domain/errors.ts';
import { attachmentType } from '../../shared/domain/field/types/file/file-parts.ts';
import { createTargetGuard } from '../../shared/net/create-target-guard.ts';
import { commands, type OwnerContext } from './commands.ts';
import {
  administratorsOnly,
  createDirectoryRecordHandlers,
  type DirectoryRules,
} from './directory/directory-record-handlers.ts';
import { createUserRules } from './directory/user-rules.ts';
import { createAttachmentHandlers } from './files/file-commands.ts';
import { createExecute } from './owner/execute-command.ts';
import type { Execute } from './owner/send-to-owner.ts';
import type { ActorNow } from './owner/write-request.ts';
import { createCaptureRules } from './lead-capture/capture-rules.ts';
import type { CreateDeps } from './records/create-record.ts';
import { createLogRecordHandlers } from './records/log-record-handlers.ts';
import { createNumberSource } from './records/numbers/number-source.ts';
import type { RecordHandlers } from './records/record-handlers.ts';
import { createNoteHandlers } from './stream/note-handlers.ts';
import { recordReader } from './stream/read-following.ts';
import { createJudgeWebhookUrl } from './webhooks/judge-webhook-url.ts';
import { createWebhookHandlers, type WebhookHandlerDeps } from './webhooks/webhook-handlers.ts';
import type { OwnerDeps } from './wire-deps.ts';

/** Handlers of this instance's commands, for all entity types. */
export function wireExecute(deps: OwnerDeps, actorNow: ActorNow): Execute {
  const { config, directory, pool } = deps;
  const records = createLogRecordHandlers({ ...deps, reserveNumber: wireReserveNumber(deps) });
  const webhooks: WebhookHandlerDeps = {
    ...deps,
    maxPerUser: config.maxWebhooksPerUser,
    judgeUrl: createJudgeWebhookUrl(createTargetGuard(config.targets)),
  };
  const readRecord = recordReader(pool, directory);
  const byType = new Map<string, RecordHandlers>([
    ...wireDirectoryRecords(deps),
    ['Webhook', createWebhookHandlers(webhooks)],
    ['Note', createNoteHandlers(records, { readRecord, directory })],
    [attachmentType, createAttachmentHandlers(records)],
  ]);
  const owner: OwnerContext = {
    ...deps,
    recordsOf: ({ name, definition }) => {
      // A custom entity type may have had the name before Annals shipped one.
      const found = definition.isCustom === true ? undefined : byType.get(name);
      if (found !== undefined) return found;
      if (definition.log === 'records') return records;
      throw new Refusal('forbidden', 'access.denied', `${name} has an API of its own.`);
    },
    append: records.append,
    records,
    webhooks,
  };
  return createExecute<OwnerContext>(commands, owner, actorNow);
}

function wireReserveNumber(deps: OwnerDeps): CreateDeps['reserveNumber'] {
  const { projection, topics, writers } = deps;
  const numbers = createNumberSource(deps);
  const numbered = writers.map((writer, partition) => ({
    partition,
    token: () => writer.token(),
    caughtUp: () => projection.passed(topics.records, partition, writer.position().offset - 1n),
  }));
  return (model, attribute, only) =>
    numbers.reserve(
      model,
      attribute,
      numbered.filter(({ partition }) => only === undefined || partition === only),
    );
}

/** Handlers for records in the directory, by entity type. */
function wireDirectoryRecords(deps: OwnerDeps): readonly (readonly [string, RecordHandlers])[] {
  const { directory, secrets } = deps;
  const roleRules: DirectoryRules = {
    ...administratorsOnly,
    // Checks only values that are sent, so that a role from before this rule can still be renamed.
    derive: async ({ body }) => {
      requireReadLevels(body['data']);
      return {};
    },
    requireConsistent: (_id, values) => checkRole(values, directory.entity),
  };
  const rules: Readonly<Record<string, DirectoryRules>> = {
    User: createUserRules({ directory, secrets }),
    Team: administratorsOnly,
    LayoutSet: administratorsOnly,
    WorkingTimeCalendar: administratorsOnly,
    [leadCaptureType]: createCaptureRules(deps),
    Role: roleRules,
  };
  return Object.entries(rules).map(([name, ofType]) => [
    name,
    createDirectoryRecordHandlers({ ...deps, find: directory.record }, ofType),
  ]);
}
