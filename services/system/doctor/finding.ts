/** The result of a check. */
export interface Finding {
  /** The part that was checked. */
  readonly about: string;
  /** A warning is a fault that has no effect yet, or matters only to some installations. */
  readonly verdict: 'ok' | 'warning' | 'fault';
  readonly says: string;
  /** How to fix it. Absent if the verdict is `ok`. */
  readonly remedy?: string;
  /** The part whose fault explains this one: fix that first. */
  readonly follows?: string;
}

/** A fault that may be the cause of faults of other parts. */
export interface Cause extends Finding {
  readonly breaks: readonly string[];
}

/** The parts that need Kafka, Postgres or the log. */
const dependents = ['log', 'directory', 'services', 'read model', 'files', 'webhooks'] as const;

/**
 * Marks a fault as the cause of faults of these parts: by default, of all parts that need Kafka, Postgres or the log.
 */
export function asCause(
  finding: Finding,
  breaks: readonly (typeof dependents)[number][] = dependents,
): Cause {
  return { ...finding, breaks };
}

/**
 * Marks findings that follow from an earlier one. Causes are checked before their consequences: disks, Kafka, topics,
 * Postgres, the log, missing processes, the tables, and processes that are not ready.
 */
export function createMarker(): (found: readonly (Finding | Cause)[]) => readonly Finding[] {
  const causes: Cause[] = [];
  return (found) =>
    found.map((each) => {
      const isWrong = each.verdict !== 'ok';
      const cause = causes.find(
        ({ about, breaks }) => about !== each.about && breaks.includes(each.about),
      );
      if ('breaks' in each) causes.push(each);
      const { about, verdict, says, remedy } = each;
      return {
        about,
        verdict,
        says,
        ...(remedy !== undefined && { remedy }),
        ...(isWrong && cause !== undefined && { follows: cause.about }),
      };
    });
}

/** Creates findings about one part. */
export function findingsAbout(about: string) {
  const create =
    (verdict: 'warning' | 'fault') =>
    (says: string, remedy: string): Finding => ({ about, verdict, says, remedy });
  return {
    ok: (says: string): Finding => ({ about, verdict: 'ok', says }),
    warning: create('warning'),
    fault: create('fault'),
  };
}

const NAMED = 5;

/** Returns the first few names, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return [...names.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
