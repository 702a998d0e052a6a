import { checkRole, requireReadable } from '../../shared/domain/access/check-role.ts';
import { Refusal } from '../../shared/domain/errors.ts';
import {
  createDirectoryRecordCommands,
  type DirectoryRules,
} from './directory/directory-record-commands.ts';
import { createUserRules } from './directory/user-rules.ts';
import type { RecordCommands } from './records/record-commands.ts';
import { requireEditable, resolveLinks } from './records/resolve-links.ts';
import type { Append } from './routing/append.ts';
import type { WebhookCommands } from './webhooks/webhook-commands.ts';
import type { CommandDeps } from './wire-deps.ts';

interface DirectoryWiring {
  readonly appendToDirectory: Append;
  readonly webhooks: WebhookCommands;
  readonly newId: () => string;
}

/** Commands for what lives in the directory, by entity type. */
export function wireDirectoryRecords(
  deps: CommandDeps,
  { appendToDirectory, webhooks, newId }: DirectoryWiring,
): ReadonlyMap<string, RecordCommands> {
  const { follower, pool, secrets } = deps;
  const { directory } = follower;
  const recordDeps: Parameters<typeof createDirectoryRecordCommands>[0] = {
    appendToDirectory,
    newId,
    find: directory.record,
    resolveLinks: (request) => resolveLinks({ pool, directory }, request),
    requireEditable: (request) => requireEditable({ pool, directory }, request),
  };
  const userRules = createUserRules({ directory, secrets, leastPasswordLength: 8 });
  return new Map<string, RecordCommands>([
    ['User', createDirectoryRecordCommands(recordDeps, userRules)],
    ['Team', createDirectoryRecordCommands(recordDeps, administratorsOnly)],
    [
      'Role',
      createDirectoryRecordCommands(recordDeps, {
        ...administratorsOnly,
        // Of what is sent alone: a role of earlier times goes on, and can be renamed.
        derive: async ({ body }) => {
          requireReadable(body['data']);
          return {};
        },
        requireConsistent: (_id, values) => checkRole(values, directory.entity),
      }),
    ],
    ['Webhook', webhooks],
  ]);
}

const administratorsOnly: DirectoryRules = {
  requireAllowed(actor, action) {
    if (actor.type === 'admin') return;
    const denied = action === 'create' ? 'create' : action === 'update' ? 'edit' : 'delete';
    throw new Refusal('forbidden', 'access.denied', `No ${denied} access.`);
  },
};
