import { pino } from 'pino';
import type { CommandContext } from '../../../services/command/context.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';
import { commandContext, senderOf } from './command-context.ts';
import { aCreation } from './record-event-builder.ts';

interface QueuedContent {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Returns a context whose queued e-mails are in the directory, as if the log had them. */
export function mailContext({
  directory,
  secrets,
  now,
  isOwned,
  onQueue,
}: {
  readonly directory: Directory & { apply(event: RecordEvent): void };
  readonly secrets: SecretBox;
  readonly now: () => number;
  readonly isOwned: () => boolean;
  /** Receives each e-mail before it is queued. Throws if it cannot be queued. */
  readonly onQueue: (id: string, email: AttributeValues, content: QueuedContent) => void;
}): CommandContext {
  return commandContext({
    clock: { now },
    now,
    config: { mail: { siteUrl: 'https://annals.example.com' } },
    directory,
    directoryWriter: { isOwned },
    log: pino({ level: 'silent' }),
    newId: () => 'new',
    secrets,
    timeoutMs: 1,
    sender: senderOf(async (_, { id = '', body }) => {
      const { email } = body as { readonly email: AttributeValues };
      onQueue(id, email, JSON.parse(secrets.open(String(email['content']))));
      const values = { ...email, status: 'queued', queuedAtMs: now(), nextAttemptAtMs: now() };
      directory.apply({ ...aCreation('QueuedEmail', values, { recordId: id }), occurredAt: now() });
      return {} as never;
    }),
  });
}
