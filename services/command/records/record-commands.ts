import { type CommandDefinition, defineCommand } from '../owner/define-command.ts';
import {
  asFlag,
  asJson,
  asListOf,
  asObject,
  asOneOf,
  asText,
  type JsonObject,
  optional,
} from '../owner/read-body.ts';
import type { LinkChange } from './links/change-links.ts';
import type { RecordHandlers } from './record-handlers.ts';

export const createCommand = recordCommand('create');
export const updateCommand = recordCommand('update');
export const removeCommand = recordCommand('remove');
export const restoreCommand = recordCommand('restore');

const readLinkChange = asObject<LinkChange>({
  field: asText,
  ids: asListOf(asText),
  entityType: asText,
  side: optional(asOneOf(['own', 'foreign'])),
  keepsLinked: optional(asFlag),
  isNew: optional(asFlag),
  columnsOf: optional(asText),
});

export const linkCommand = linkingCommand('link');
export const unlinkCommand = linkingCommand('unlink');

export const recordCommands = [
  createCommand,
  updateCommand,
  removeCommand,
  restoreCommand,
  linkCommand,
  unlinkCommand,
] as const;

/** A command that the handler of its name decides. */
function recordCommand<const Name extends Exclude<keyof RecordHandlers, 'changeLinks'>>(
  name: Name,
): CommandDefinition<Name, JsonObject> {
  return defineCommand({
    name,
    readBody: asJson,
    execute: async (context, request) => context.recordsOf(request.model)[name](request, context),
  });
}

function linkingCommand<const Verb extends 'link' | 'unlink'>(
  verb: Verb,
): CommandDefinition<Verb, LinkChange> {
  return defineCommand({
    name: verb,
    readBody: readLinkChange,
    execute: async (context, request) =>
      context.recordsOf(request.model).changeLinks(verb, request, context),
  });
}
