import { defineCommand } from '../forwarding/define-command.ts';
import {
  asAnything,
  asNumber,
  asOneOf,
  asText,
  bodyOf,
  nullable,
} from '../forwarding/read-body.ts';
import type { AttachmentHandlers, StoredFile } from './attachment-handlers.ts';

/** Creates the record of a file whose bytes are in the log. */
export const uploadCommand = defineCommand({
  name: 'upload',
  readBody: bodyOf<StoredFile>({
    name: asAnything,
    type: asText,
    size: asNumber,
    sha256: asText,
    role: asOneOf(['Attachment', 'Export File']),
    field: nullable(asText),
    relatedType: nullable(asText),
    parentType: nullable(asText),
  }),
  execute: ({ attachments }: { readonly attachments: AttachmentHandlers }, request) =>
    attachments.upload(request),
});

export const fileCommands = [uploadCommand] as const;
