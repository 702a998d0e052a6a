import type { EntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import { leadCaptureType } from '../../shared/domain/entity/stock/lead-capture.ts';
import { Refusal } from '../../shared/domain/errors.ts';
import { attachmentType } from '../../shared/domain/field/types/file/file-parts.ts';
import {
  administratorsOnly,
  createDirectoryHandlers,
  roleRules,
} from './directory/directory-handlers.ts';
import { userRules } from './directory/user-rules.ts';
import { attachmentHandlers } from './files/file-commands.ts';
import { captureRules } from './lead-capture/lead-capture-commands.ts';
import { logRecordHandlers, type RecordHandlers } from './records/record-handlers.ts';
import { noteHandlers } from './stream/note-handlers.ts';
import { webhookHandlers } from './webhooks/webhook-handlers.ts';

/**
 * Handlers for the entity types that have their own rules. All other types in the records log follow the default rules.
 */
const handlers: ReadonlyMap<string, RecordHandlers> = new Map([
  ['User', createDirectoryHandlers(userRules)],
  ['Team', createDirectoryHandlers(administratorsOnly)],
  ['Role', createDirectoryHandlers(roleRules)],
  ['LayoutSet', createDirectoryHandlers(administratorsOnly)],
  ['WorkingTimeCalendar', createDirectoryHandlers(administratorsOnly)],
  [leadCaptureType, createDirectoryHandlers(captureRules)],
  ['Webhook', webhookHandlers],
  ['Note', noteHandlers],
  [attachmentType, attachmentHandlers],
]);

/** Returns the handlers for an entity type. */
export function recordsOf({ name, definition }: EntityModel): RecordHandlers {
  // A custom entity type may have used the name before Annals shipped an entity type with the same name.
  const own = definition.isCustom === true ? undefined : handlers.get(name);
  if (own !== undefined) return own;
  if (definition.log === 'records') return logRecordHandlers;
  throw new Refusal('forbidden', 'access.denied', `${name} has a separate API.`);
}
