import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { defineAction } from '../routing/action.ts';
import { asSent, bodyOf, flag, listOf, oneOf, optional, text } from '../routing/read-body.ts';
import type { LinkChange } from './change-links.ts';
import type { RecordCommands } from './record-commands.ts';

interface RecordOwner {
  /** By the rules of the entity type. */
  readonly recordsOf: (model: EntityModel) => RecordCommands;
}

export const createAction = defineAction({
  name: 'create',
  readBody: asSent,
  execute: async ({ recordsOf }: RecordOwner, request) => recordsOf(request.model).create(request),
});

export const updateAction = defineAction({
  name: 'update',
  readBody: asSent,
  execute: async ({ recordsOf }: RecordOwner, request) => recordsOf(request.model).update(request),
});

export const removeAction = defineAction({
  name: 'remove',
  readBody: asSent,
  execute: async ({ recordsOf }: RecordOwner, request) => recordsOf(request.model).remove(request),
});

export const restoreAction = defineAction({
  name: 'restore',
  readBody: asSent,
  execute: async ({ recordsOf }: RecordOwner, request) => recordsOf(request.model).restore(request),
});

const readLinkChange = bodyOf<LinkChange>({
  field: text,
  ids: listOf(text),
  entityType: text,
  side: optional(oneOf(['own', 'foreign'])),
  keepsLinked: optional(flag),
  isNew: optional(flag),
  columnsOf: optional(text),
});

export const linkAction = defineAction({
  name: 'link',
  readBody: readLinkChange,
  execute: async ({ recordsOf }: RecordOwner, request) =>
    recordsOf(request.model).changeLinks('link', request),
});

export const unlinkAction = defineAction({
  name: 'unlink',
  readBody: readLinkChange,
  execute: async ({ recordsOf }: RecordOwner, request) =>
    recordsOf(request.model).changeLinks('unlink', request),
});

export const recordActions = [
  createAction,
  updateAction,
  removeAction,
  restoreAction,
  linkAction,
  unlinkAction,
] as const;
