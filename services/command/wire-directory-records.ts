import { checkRole, requireReadLevels } from '../../shared/domain/access/check-role.ts';
import { Refusal } from '../../shared/domain/errors.ts';
import {
  createDirectoryRecordHandlers,
  type DirectoryRules,
} from './directory/directory-record-handlers.ts';
import { createUserRules } from './directory/user-rules.ts';
import type { Append } from './forwarding/append.ts';
import { requireEditable, resolveLinks } from './records/input/resolve-links.ts';
import type { RecordHandlers } from './records/record-handlers.ts';
import { createWebhookHandlers, type WebhookHandlerDeps } from './webhooks/webhook-handlers.ts';
import type { CommandDeps } from './wire-deps.ts';

interface DirectoryWiring {
  readonly appendToDirectory: Append;
  readonly webhooks: WebhookHandlerDeps;
  readonly newId: () => string;
}

/** Handlers for records in the directory, by entity type. */
export function wireDirectoryRecords(
  deps: CommandDeps,
  { appendToDirectory, webhooks, newId }: DirectoryWiring,
): ReadonlyMap<string, RecordHandlers> {
  const { follower, pool, secrets } = deps;
  const { directory } = follower;
  const recordDeps: Parameters<typeof createDirectoryRecordHandlers>[0] = {
    appendToDirectory,
    newId,
    find: directory.record,
    resolveLinks: (request) => resolveLinks({ pool, directory }, request),
    requireEditable: (request) => requireEditable({ pool, directory }, request),
  };
  const userRules = createUserRules({ directory, secrets, leastPasswordLength: 8 });
  return new Map<string, RecordHandlers>([
    ['User', createDirectoryRecordHandlers(recordDeps, userRules)],
    ...['Team', 'LayoutSet', 'WorkingTimeCalendar'].map(
      (name) => [name, createDirectoryRecordHandlers(recordDeps, administratorsOnly)] as const,
    ),
    [
      'Role',
      createDirectoryRecordHandlers(recordDeps, {
        ...administratorsOnly,
        // Checks only values that are sent, so that a role from before this rule can still be renamed.
        derive: async ({ body }) => {
          requireReadLevels(body['data']);
          return {};
        },
        requireConsistent: (_id, values) => checkRole(values, directory.entity),
      }),
    ],
    ['Webhook', createWebhookHandlers(webhooks)],
  ]);
}

const administratorsOnly: DirectoryRules = {
  requireAllowed(actor, change) {
    if (actor.type === 'admin') return;
    const denied = change === 'create' ? 'create' : change === 'update' ? 'edit' : 'delete';
    throw new Refusal('forbidden', 'access.denied', `No ${denied} access.`);
  },
};
