import { isCalendarDate, toShortText, toUtc } from './read-date-time.ts';

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** False if the text contains no fraction of a second. The moment may then be any in that second. */
  readonly hasFraction: boolean;
}

/** The accepted forms of a moment; follows "must be". */
export const momentForms =
  'a time like 2026-01-31T12:00Z or 2026-01-31 12:00:00 (in UTC), or a day like 2026-01-31';

/**
 * Parses a moment from clients and operators: ISO 8601 with `Z` or an offset, `YYYY-MM-DD HH:MM[:SS]` in UTC, or a day,
 * meaning midnight UTC. ISO 8601 without a zone is in the writer's time zone and only accepted with `isOfThisHost`
 * (command line). Returns undefined for anything else.
 */
export function parseMoment(
  given: unknown,
  { isOfThisHost }: { readonly isOfThisHost: boolean },
): Moment | undefined {
  const text = toShortText(given);
  if (isCalendarDate(text)) return moment(`${text}T00:00:00Z`);
  const fraction = fractionForm.exec(text)?.[1];
  const utc = toUtc(text);
  if (utc !== undefined) return moment(`${utc.replace(' ', 'T')}Z`, fraction);
  // Appending a zone shows whether the text is a valid time.
  if (!isOfThisHost || toUtc(`${text}Z`) === undefined) return undefined;
  return moment(text.replace(fractionForm, ''), fraction);
}

function moment(iso: string, fraction?: string): Moment {
  const milliseconds = fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
  return { at: Date.parse(iso) + milliseconds, hasFraction: fraction !== undefined };
}

const fractionForm = /\.(\d+)/;
