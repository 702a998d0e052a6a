import { defineAction } from '../routing/action.ts';
import { anything, bodyOf, nullable, number, oneOf, text } from '../routing/read-body.ts';
import type { AttachmentCommands, StoredFile } from './attachment-commands.ts';

/** Makes the record of a file whose bytes are in the log. */
export const uploadAction = defineAction({
  name: 'upload',
  readBody: bodyOf<StoredFile>({
    name: anything,
    type: text,
    size: number,
    sha256: text,
    role: oneOf(['Attachment', 'Export File']),
    field: nullable(text),
    relatedType: nullable(text),
    parentType: nullable(text),
  }),
  execute: ({ attachments }: { readonly attachments: AttachmentCommands }, request) =>
    attachments.upload(request),
});

export const fileActions = [uploadAction] as const;
