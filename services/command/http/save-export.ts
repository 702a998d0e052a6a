import { attachmentType } from '../../../shared/domain/file/file-field.ts';
import type { SaveExport } from '../../../shared/http/save-export.ts';
import { type SaveDeps, saveFile, toStoredFile } from '../files/save-file.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';

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
