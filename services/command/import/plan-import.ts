import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { requireText } from '../../../shared/http/require-object.ts';
import type { CommandContext } from '../context.ts';
import type { PlannedMassAction } from '../mass-actions/mass-action.ts';
import type { Command } from '../owner/command.ts';
import { findImportFile, openImportFile } from './import-file.ts';
import {
  importAction,
  readImportRequest,
  requireImporter,
  requireImporting,
} from './import-plan.ts';
import { badFile, readCsv } from './read-csv.ts';

/**
 * Plans an import. Reads the whole file once, so that a file that is not valid CSV is rejected before any record is
 * changed.
 */
export async function planImport(
  { actor, body }: Command,
  context: CommandContext,
): Promise<PlannedMassAction> {
  requireImporter(actor);
  const entityType = requireText(body, 'entityType');
  const model = context.directory.entity(entityType);
  if (model === undefined) {
    const message = `Entity type '${printable(entityType)}' does not exist.`;
    throw new Refusal('not_found', 'entity.unknown', message);
  }
  requireImporting(actor, model);
  const request = readImportRequest(body, { actor, model });
  const stored = await findImportFile(context, { actor, fileId: request.fileId });
  let rowCount = 0;
  for await (const rows of readCsv(openImportFile(context, stored), request))
    rowCount += rows.length;
  if (rowCount === 0) throw badFile('The file has no rows.');
  const data = { ...request, ...stored, rowCount };
  return { entityType, action: importAction, data, ids: [], isByIds: false };
}
