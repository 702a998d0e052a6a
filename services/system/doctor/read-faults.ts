import { createHash } from 'node:crypto';
import type { Finding } from './finding.ts';

/** The faults of an examination, for notifications. */
interface Faults {
  readonly faults: readonly {
    readonly key: string;
    readonly part: string;
    readonly says: string;
    readonly remedy: string;
  }[];
  /** The parts that could be examined. The faults of other parts are unknown. */
  readonly parts: ReadonlySet<string>;
}

/**
 * Returns the faults that are not explained by other faults. The key of a fault is the same in every examination: it
 * omits parameters such as the free space, which change while the fault lasts.
 */
export function readFaults(findings: readonly Finding[]): Faults {
  const faults = findings.filter(
    ({ verdict, follows }) => verdict === 'fault' && follows === undefined,
  );
  const byKey = new Map(
    faults.map((fault) => {
      const { about, remedy = '', says } = fault;
      const key = keyOf(fault);
      return [key, { key, part: about, says, remedy }];
    }),
  );
  const examined = findings.filter(
    ({ code, follows }) => follows === undefined && code !== 'check.failed',
  );
  return {
    faults: [...byKey.values()],
    parts: new Set(examined.map(({ about }) => about)),
  };
}

function keyOf({ about, code, parameters, links = [] }: Finding): string {
  const places = links.map(({ kind, entityType, id }) => [kind, entityType, id]);
  const identity = JSON.stringify([about, code, parameters?.['path'] ?? null, places]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
