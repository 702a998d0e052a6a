import {
  placeName,
  type RejectedPlace,
} from '../../../services/operations/rejected/rejected-place.ts';
import { listRejected, showRejected } from '../../../services/operations/rejected/show-rejected.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';

/** `annals rejected list`. */
export async function printRejectedList(context: CommandContext): Promise<void> {
  const { installation, printResult } = context;
  const list = await withConnection(installation.connect, listRejected);
  printResult({ list }, [
    ...list.map(({ id, bytes, reason }) => `${id}: ${counted(bytes, 'byte')}, ${reason}`),
    `${counted(list.length, 'rejected entry')}.`,
  ]);
}

/** `annals rejected show`. Reads all entries before it shows any. Entries that are named twice are shown once. */
export async function printRejected(
  { installation, printResult }: CommandContext,
  places: readonly RejectedPlace[],
): Promise<void> {
  const named = new Map(places.map((place) => [placeName(place), place]));
  const list = await withConnection(installation.connect, async (client) => {
    const shown: unknown[] = [];
    for (const place of named.values()) {
      const found = await showRejected(client, installation.topics, place);
      if (found === undefined) {
        throw new OperatorError(
          `No entry ${placeName(place)} was rejected: annals rejected list shows those that were.`,
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
