/** What a check found out. */
export interface Finding {
  /** What was looked at. */
  readonly about: string;
  /** A warning is no fault yet, or none for everybody. */
  readonly verdict: 'ok' | 'warning' | 'fault';
  readonly says: string;
  /** What to do about it; of everything but `ok`. */
  readonly remedy?: string;
}

export interface Findings {
  ok(says: string): Finding;
  warning(says: string, remedy: string): Finding;
  fault(says: string, remedy: string): Finding;
}

/** Findings about one thing. */
export function findingsAbout(about: string): Findings {
  return {
    ok: (says) => ({ about, verdict: 'ok', says }),
    warning: (says, remedy) => ({ about, verdict: 'warning', says, remedy }),
    fault: (says, remedy) => ({ about, verdict: 'fault', says, remedy }),
  };
}
