import { Refusal } from '../../../shared/domain/errors.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asAnything, asNumber, asObject, asOneOf, asText, nullable } from '../owner/read-body.ts';
import { logRecordHandlers, type RecordHandlers } from '../records/record-handlers.ts';

/** Metadata of a file whose bytes are in the log. Instances exchange it as JSON. */
export interface StoredFile {
  readonly name: unknown;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly role: 'Attachment' | 'Export File' | 'Import File';
  readonly field: string | null;
  /** Set for a field with a single file. */
  readonly relatedType: string | null;
  /** Set for a field with several files. */
  readonly parentType: string | null;
}

/**
 * Creates the record of a file whose bytes are in the log. Metadata such as the size comes from the instance that has just
 * written the bytes, not from the client.
 */
export const uploadCommand = defineCommand({
  name: 'upload',
  readBody: asObject<StoredFile>({
    name: asAnything,
    type: asText,
    size: asNumber,
    sha256: asText,
    role: asOneOf(['Attachment', 'Export File', 'Import File']),
    field: nullable(asText),
    relatedType: nullable(asText),
    parentType: nullable(asText),
  }),
  execute: (context, request) => {
    const { name, ...facts } = request.body;
    return logRecordHandlers.create({ ...request, body: { name }, facts }, context);
  },
});

/** Handlers for record commands on attachments. Uploads use a separate command. */
export const attachmentHandlers: RecordHandlers = {
  ...logRecordHandlers,
  async create() {
    throw new Refusal(
      'forbidden',
      'access.denied',
      'Attachments can only be created by uploading a file.',
    );
  },
};
