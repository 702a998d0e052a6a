import { listRejected, readRejected } from '../../../services/system/rejected/read-rejected.ts';
import { placeName, type RejectedPlace } from '../../../services/system/rejected/rejected-place.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { callApi } from '../call-api.ts';
import type { CommandContext } from '../command-context.ts';

/** `annals rejected list`. */
export async function printRejectedList(context: CommandContext): Promise<void> {
  const { installation, printResult } = context;
  const { total, list } = await withConnection(installation.connect, listRejected);
  const notListed = list.length < total ? ` Only the first ${list.length} are listed.` : '';
  printResult({ total, list }, [
    ...list.map(({ id, bytes, reason, entityType, recordId, acknowledged }) => {
      const record = recordId === null ? '' : `, quarantines ${entityType} ${recordId}`;
      return `${id}: ${counted(bytes, 'byte')}, ${reason}${record}${acknowledged ? ', acknowledged' : ''}`;
    }),
    `${counted(total, 'rejected entry')}.${notListed}`,
  ]);
}

/**
 * `annals rejected show`. Reads all entries before it shows any of them. Shows an entry once even if it is given twice.
 */
export async function printRejected(
  { installation, printResult }: CommandContext,
  places: readonly RejectedPlace[],
): Promise<void> {
  const named = new Map(places.map((place) => [placeName(place), place]));
  const list = await withConnection(installation.connect, async (client) => {
    const shown: unknown[] = [];
    for (const place of named.values()) {
      const found = await readRejected(client, installation.topics, place);
      if (found === undefined) {
        throw new OperatorError(
          `Entry ${placeName(place)} was not rejected: see annals rejected list.`,
        );
      }
      shown.push(found);
    }
    return shown;
  });
  printResult(
    { list },
    list.map((one) => JSON.stringify(one, null, 2)),
  );
}

/** `annals rejected retry`. Throws OperatorError if the tables still reject a record. */
export async function retryRejected(
  { installation, printResult }: CommandContext,
  places: readonly RejectedPlace[],
): Promise<void> {
  const list: object[] = [];
  const refused: string[] = [];
  for (const place of places) {
    const path = `/System/rejectedEntries/${placeName(place)}/retry`;
    const response = await callApi(installation, { method: 'POST', path });
    const { released, reason } = response as {
      readonly released: boolean;
      readonly reason: string;
    };
    list.push({ id: placeName(place), released, reason });
    if (!released) refused.push(`${placeName(place)}: ${reason}`);
  }
  printResult({ list }, [`${counted(places.length - refused.length, 'record')} released.`]);
  if (refused.length > 0)
    throw new OperatorError(`Still rejected by the tables: ${refused.join('; ')}.`);
}

/** `annals rejected discard`, after a confirmation. */
export async function discardRejected(
  { installation, printResult, confirm }: CommandContext,
  places: readonly RejectedPlace[],
): Promise<void> {
  await confirm(
    `Discard ${counted(places.length, 'entry')}? Quarantined records return to their state before these entries.`,
  );
  for (const place of places) {
    const path = `/System/rejectedEntries/${placeName(place)}/discard`;
    await callApi(installation, { method: 'POST', path });
  }
  const list = places.map(placeName);
  printResult({ list }, [`${counted(places.length, 'entry')} discarded.`]);
}
