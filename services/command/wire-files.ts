import { attachmentType } from '../../shared/domain/field/types/file/file-parts.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { createAppendFile } from './files/append-file.ts';
import type { SaveDeps } from './files/save-file.ts';
import type { SendToOwner } from './forwarding/send-to-owner.ts';
import type { CommandDeps } from './wire-deps.ts';

/** Wires the saving of files. */
export function wireFiles(
  { config, kafka, lifecycle, log, metrics, requireRoom }: CommandDeps,
  sendToOwner: SendToOwner,
): SaveDeps {
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for files', connection.close);
  let uploadedBytes = 0;
  metrics.read('annals_file_uploaded_bytes_total', () => uploadedBytes);
  const appendFile = createAppendFile(
    {
      kafka: connection,
      topic: config.topics.files,
      requireRoom: () => requireRoom(attachmentType),
    },
    (bytes) => {
      uploadedBytes += bytes;
    },
  );
  return { appendFile, sendToOwner };
}
