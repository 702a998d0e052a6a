import { createHash } from 'node:crypto';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import {
  acknowledgementsId,
  acknowledgementsIn,
  acknowledgementsType,
} from '../../../shared/domain/finding/acknowledgements.ts';
import type { Finding } from './finding.ts';

/**
 * Gives warnings their ids, and marks the warnings that an administrator has acknowledged. The id of a warning changes
 * with its code, its parameters and its links, so that a changed warning counts again.
 */
export function acknowledgeFindings(
  findings: readonly Finding[],
  directory: Directory,
): readonly Finding[] {
  const known = acknowledgementsIn(directory.record(acknowledgementsType, acknowledgementsId));
  return findings.map(({ acknowledged: _, ...finding }) => {
    if (finding.verdict !== 'warning') return finding;
    const id = idOf(finding);
    const found = known.get(id);
    if (found === undefined) return { ...finding, id };
    const { reason, byId, at } = found;
    const name = directory.record('User', byId)?.values['name'];
    const byName = typeof name === 'string' ? name : null;
    return { ...finding, id, acknowledged: { reason, byId, byName, at } };
  });
}

function idOf({ about, code, parameters = {}, links = [] }: Finding): string {
  const values = Object.entries(parameters).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const places = links.map(({ kind, entityType, id }) => [kind, entityType, id]);
  const identity = JSON.stringify([about, code, values, places]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
