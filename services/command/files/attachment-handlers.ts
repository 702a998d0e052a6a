import { Refusal } from '../../../shared/domain/errors.ts';
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

/** Commands of clients for attachments. Uploads come as a command of their own. */
export function createAttachmentHandlers(records: RecordHandlers): RecordHandlers {
  return {
    ...records,
    async create() {
      throw new Refusal('forbidden', 'access.denied', 'An attachment is made by its upload.');
    },
  };
}
