/** What a check found out. */
export interface Finding {
  /** What was looked at. */
  readonly about: string;
  /** A warning is no fault yet, or none for everybody. */
  readonly verdict: 'ok' | 'warning' | 'fault';
  readonly says: string;
  /** What to do about it; of everything but `ok`. */
  readonly remedy?: string;
  /** The part whose fault explains this one: fix that first. */
  readonly follows?: string;
}

/** A fault without which those of some other parts may be gone. */
export interface Cause extends Finding {
  readonly breaks: readonly string[];
}

export interface Findings {
  ok(says: string): Finding;
  warning(says: string, remedy: string): Finding;
  fault(says: string, remedy: string): Finding;
}

/** What needs Kafka, Postgres or the log. */
const dependents = ['log', 'directory', 'services', 'read model', 'files', 'webhooks'] as const;

/** The same fault, as the cause of faults of these parts; by default of all that need Kafka, Postgres or the log. */
export function asCause(
  finding: Finding,
  breaks: readonly (typeof dependents)[number][] = dependents,
): Cause {
  return { ...finding, breaks };
}

/**
 * Marks findings that follow from an earlier one. Checks run in the order of causes: disks, Kafka, topics, Postgres, the
 * log, processes that are missing, the tables, and processes that are not ready.
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

/** Findings about one thing. */
export function findingsAbout(about: string): Findings {
  return {
    ok: (says) => ({ about, verdict: 'ok', says }),
    warning: (says, remedy) => ({ about, verdict: 'warning', says, remedy }),
    fault: (says, remedy) => ({ about, verdict: 'fault', says, remedy }),
  };
}
