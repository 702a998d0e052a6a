import type { FastifyRequest } from 'fastify';
import { attachmentType } from '../../../shared/domain/file/file-field.ts';
import { type SaveDeps, saveFile, toStoredFile } from '../files/save-file.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';

interface MadeFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

interface Saved {
  readonly id: string;
  readonly consistencyToken: string;
  readonly isReplay: boolean;
}

/** Keeps a file that was made for a request as an attachment of its user. */
export type SaveExport = (request: FastifyRequest, file: MadeFile) => Promise<Saved>;

/** The same request again, under its Idempotency-Key, gets the first file: the records may be others by then. */
export function createSaveExport(deps: CommandRouteDeps & SaveDeps): SaveExport {
  return async (request, { content, ...file }) => {
    const model = deps.directory.entity(attachmentType);
    if (model === undefined) throw new Error('there are no attachments');
    const nowhere = { field: null, relatedType: null, parentType: null };
    const stored = toStoredFile({ ...file, ...nowhere, role: 'Export File', content });
    const asked = await readCommand(deps, request, { action: 'upload', body: request.body, model });
    const command = { ...asked, body: { ...stored } };
    const { state, consistencyToken, isReplay } = await saveFile(
      command,
      { content, stored },
      deps,
    );
    return { id: state.id, consistencyToken, isReplay };
  };
}
