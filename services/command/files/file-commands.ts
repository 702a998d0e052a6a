import { defineCommand } from '../forwarding/define-command.ts';
import {
  asAnything,
  asNumber,
  asOneOf,
  asText,
  bodyOf,
  nullable,
} from '../forwarding/read-body.ts';
import type { RecordHandlers } from '../records/record-handlers.ts';
import type { StoredFile } from './attachment-handlers.ts';

/**
 * Creates the record of a file whose bytes are in the log. Facts about the file, such as its size, come from the instance
 * that has just written the bytes, not from clients.
 */
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
  execute: ({ records }: { readonly records: RecordHandlers }, request) => {
    const { name, ...facts } = request.body;
    return records.create({ ...request, body: { name }, facts });
  },
});

export const fileCommands = [uploadCommand] as const;
