import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import type { SaveExport } from '../../../shared/http/save-export.ts';
import type { CommandDefinition } from '../forwarding/define-command.ts';
import type { Command } from '../forwarding/send-to-owner.ts';
import { uploadCommand } from './file-commands.ts';
import { type SaveDeps, saveFile, toStoredFile } from './save-file.ts';

interface SaveExportDeps extends SaveDeps {
  readonly directory: Pick<Directory, 'entity'>;
  readonly readCommand: (
    request: Parameters<SaveExport>[0],
    asked: {
      readonly command: CommandDefinition;
      readonly body: unknown;
      readonly model: EntityModel;
    },
  ) => Promise<Command>;
}

/** A request repeated under its Idempotency-Key gets the first file, although the records may have changed. */
export function createSaveExport(deps: SaveExportDeps): SaveExport {
  return async (request, { content, ...file }) => {
    const model = deps.directory.entity(attachmentType);
    if (model === undefined) throw new Error('there are no attachments');
    const nowhere = { field: null, relatedType: null, parentType: null };
    const stored = toStoredFile({ ...file, ...nowhere, role: 'Export File', content });
    const asked = { command: uploadCommand, body: request.body, model };
    const command = await deps.readCommand(request, asked);
    const { state, consistencyToken, isReplay } = await saveFile(
      command,
      { content, stored },
      deps,
    );
    return { id: state.id, consistencyToken, isReplay };
  };
}
