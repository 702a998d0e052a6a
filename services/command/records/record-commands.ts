import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { defineCommand } from '../forwarding/define-command.ts';
import {
  asFlag,
  asListOf,
  asOneOf,
  asSent,
  asText,
  bodyOf,
  optional,
} from '../forwarding/read-body.ts';
import type { LinkChange } from './links/change-links.ts';
import type { RecordHandlers } from './record-handlers.ts';

interface RecordOwner {
  /** The handlers for an entity type, with its rules. */
  readonly recordsOf: (model: EntityModel) => RecordHandlers;
}

export const createCommand = defineCommand({
  name: 'create',
  readBody: asSent,
  execute: async ({ recordsOf }: RecordOwner, request) => recordsOf(request.model).create(request),
});

export const updateCommand = defineCommand({
  name: 'update',
  readBody: asSent,
  execute: async ({ recordsOf }: RecordOwner, request) => recordsOf(request.model).update(request),
});

export const removeCommand = defineCommand({
  name: 'remove',
  readBody: asSent,
  execute: async ({ recordsOf }: RecordOwner, request) => recordsOf(request.model).remove(request),
});

export const restoreCommand = defineCommand({
  name: 'restore',
  readBody: asSent,
  execute: async ({ recordsOf }: RecordOwner, request) => recordsOf(request.model).restore(request),
});

const readLinkChange = bodyOf<LinkChange>({
  field: asText,
  ids: asListOf(asText),
  entityType: asText,
  side: optional(asOneOf(['own', 'foreign'])),
  keepsLinked: optional(asFlag),
  isNew: optional(asFlag),
  columnsOf: optional(asText),
});

export const linkCommand = defineCommand({
  name: 'link',
  readBody: readLinkChange,
  execute: async ({ recordsOf }: RecordOwner, request) =>
    recordsOf(request.model).changeLinks('link', request),
});

export const unlinkCommand = defineCommand({
  name: 'unlink',
  readBody: readLinkChange,
  execute: async ({ recordsOf }: RecordOwner, request) =>
    recordsOf(request.model).changeLinks('unlink', request),
});

export const recordCommands = [
  createCommand,
  updateCommand,
  removeCommand,
  restoreCommand,
  linkCommand,
  unlinkCommand,
] as const;
