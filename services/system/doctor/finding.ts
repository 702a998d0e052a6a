import type { FindingCode } from './finding-codes.ts';

/** The result of a check. */
export interface Finding {
  /** The part that was checked. */
  readonly about: string;
  /** A warning is a fault that has no effect yet, or that matters only for some installations. */
  readonly verdict: 'ok' | 'warning' | 'fault';
  readonly code: FindingCode;
  /** The values in the text. Clients use them to write the text in the user's language. */
  readonly parameters?: FindingParameters;
  /** One or more sentences in English. */
  readonly says: string;
  /** How to fix the problem, in English. Absent if the verdict is `ok`. */
  readonly remedy?: string;
  /** Records and lists that the finding concerns. */
  readonly links?: readonly FindingLink[];
  /** Remedies that take a single API request. */
  readonly remedies?: readonly FindingRemedy[];
  /** The part whose fault explains this finding and should be fixed first. */
  readonly follows?: string;
  /** Identifies a warning that can be acknowledged. It changes with the warning. */
  readonly id?: string;
  /** Set if an administrator has acknowledged the warning, which then no longer counts. */
  readonly acknowledged?: {
    readonly reason: string;
    readonly byId: string;
    readonly byName: string | null;
    /** ISO 8601. */
    readonly at: string;
  };
}

type FindingParameters = Readonly<Record<string, string | number>>;

export const findingLinkKinds = ['record', 'definition', 'rejectedEntries'] as const;

export interface FindingLink {
  readonly kind: (typeof findingLinkKinds)[number];
  /** The type of the record, or the type that is defined. */
  readonly entityType?: string;
  /** The id of the record. */
  readonly id?: string;
  readonly name?: string;
}

/**
 * `activateWebhook`: `PATCH Webhook/{id}` with `isActive`. `redeliverDead`: `POST Webhook/{id}/redeliver` with
 * `deadLetters`. `retryEntry`: `POST System/rejectedEntries/{id}/retry`. `processQueue`:
 * `POST Webhook/action/processQueue`.
 */
export const findingActions = [
  'activateWebhook',
  'redeliverDead',
  'retryEntry',
  'processQueue',
] as const;

interface FindingRemedy {
  readonly action: (typeof findingActions)[number];
  /** The webhook or entry; absent if the action has no object. */
  readonly id?: string;
  readonly name?: string;
  /** The number of batches that are sent again. */
  readonly count?: number;
}

/** A fault that may cause faults in other parts. */
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
 * Returns a function that marks findings that follow from an earlier one. Causes are checked before their consequences:
 * disks, Kafka, topics, Postgres, the log, missing processes, the tables, and processes that are not ready.
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
      const { breaks: _, ...finding } = { breaks: undefined, ...each };
      return {
        ...finding,
        ...(isWrong && cause !== undefined && { follows: cause.about }),
      };
    });
}

type Result = Pick<Finding, 'code' | 'links' | 'parameters' | 'says'>;
type Problem = Result & Required<Pick<Finding, 'remedy'>> & Pick<Finding, 'remedies'>;

/** Creates findings about one part. */
export function findingsAbout(about: string) {
  const create =
    (verdict: 'warning' | 'fault') =>
    (problem: Problem): Finding => ({ about, verdict, ...problem });
  return {
    ok: (result: Result): Finding => ({ about, verdict: 'ok', ...result }),
    warning: create('warning'),
    fault: create('fault'),
  };
}

/** Ends a text with a period if it has none. */
export function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const NAMED = 5;

/** Returns the first few names as text, and the number of further names. */
export function nameSome(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return [...names.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
