import { Refusal } from '../../../shared/domain/errors.ts';
import type { CreateRequest, Executed } from '../forwarding/write-request.ts';
import type { RecordHandlers } from '../records/record-handlers.ts';

/** Facts about a file whose bytes are in the log. Sent between instances as JSON. */
export interface StoredFile {
  readonly name: unknown;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly role: 'Attachment' | 'Export File';
  readonly field: string | null;
  /** Set for a field with a single file. */
  readonly relatedType: string | null;
  /** Set for a field with several files. */
  readonly parentType: string | null;
}

export interface AttachmentHandlers extends RecordHandlers {
  /** Creates the record. Sent by the instance that has just written the bytes. */
  upload(request: CreateRequest<StoredFile>): Promise<Executed>;
}

/**
 * Commands for attachments. Facts about the file, such as its size, come from the instance that stored it, not from
 * clients.
 */
export function createAttachmentHandlers(records: RecordHandlers): AttachmentHandlers {
  return {
    ...records,
    async create() {
      throw new Refusal('forbidden', 'access.denied', 'An attachment is made by its upload.');
    },
    upload(request) {
      const { name, ...facts } = request.body;
      return records.create({ ...request, body: { name }, facts });
    },
  };
}
