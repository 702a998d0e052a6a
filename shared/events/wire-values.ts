import { UnreadableMessage } from '../domain/errors.ts';
import type { Access } from '../domain/record/record-event.ts';
import { isObject } from '../domain/value/attribute-values.ts';

/** An optional string in avsc's representation. */
export type WireText = null | { readonly string: string };

export interface WireAccess {
  readonly assignedUserId: WireText;
  readonly createdById: WireText;
  readonly teamIds: readonly string[];
}

export function wrapText(text: string | null): WireText {
  return text === null ? null : { string: text };
}

export function wrapAccess({ assignedUserId, createdById, teamIds }: Access): WireAccess {
  return {
    assignedUserId: wrapText(assignedUserId),
    createdById: wrapText(createdById),
    teamIds,
  };
}

export function unwrapAccess({ assignedUserId, createdById, teamIds }: WireAccess): Access {
  return {
    assignedUserId: assignedUserId?.string ?? null,
    createdById: createdById?.string ?? null,
    teamIds,
  };
}

// Checks that a schema cannot express. All of them throw UnreadableMessage. Its text is shown to operators and stored
// in Postgres, so it quotes values only as JSON, without control characters, and never values that may be secrets.

const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Parses JSON; `what` describes the text in errors. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableMessage(`${what} is not valid JSON`);
  }
}

export function parseJsonObject(text: string, what: string): object {
  const value = parseJson(text, what);
  if (isObject(value)) return value;
  throw new UnreadableMessage(`${what} is not a JSON object`);
}

/** Requires a time in milliseconds since 1970 whose year has at most four digits. */
export function requireTime(time: number, what: string): number {
  if (time >= 0 && time <= LAST_TIME) return time;
  throw new UnreadableMessage(`${what} is not a valid time`);
}

/** Requires text that Postgres can store. */
export function requireText(text: string, what: string): string {
  if (!text.includes('\0')) return text;
  throw new UnreadableMessage(`${what} contains NUL`);
}

/** Requires JSON text whose strings and keys Postgres can store. */
export function requireJsonText(text: string, what: string): string {
  if (!unstorable.test(withoutPairs(text))) return text;
  throw new UnreadableMessage(`${what} contains NUL or an unpaired surrogate`);
}

const unstorable = /\\u(?:0000|d[89a-f])/i;

/** Removes valid surrogate pairs, and escaped backslashes, because a `u` after one is a plain letter. */
function withoutPairs(text: string): string {
  return text
    .replaceAll(String.raw`\\`, '')
    .replaceAll(/\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, '');
}

/** Quotes text from a message for use in a reason. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
