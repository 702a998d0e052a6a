import { isUtf8 } from 'node:buffer';
import { decodeReadable } from '../../../shared/events/decode-readable.ts';
import type { Fence, LoggedEvent } from '../../../shared/events/log-entry.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { maskSecrets, withoutSecrets } from './without-secrets.ts';

/** The content of an entry, decoded if possible, or else in a form that a person can read. */
export type DescribedEntry =
  | { readonly kind: 'event'; readonly event: LoggedEvent }
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'unreadable'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly hex: string };

const controls = /[^\P{Cc}\t\n\r]/u;

/** `isDirectory`: the entry comes from the directory's topic, which contains secrets. */
export function describeEntry(
  bytes: Buffer,
  { isDirectory }: { readonly isDirectory: boolean },
): DescribedEntry {
  const entry = decodeReadable({ value: bytes, proof: 'none' }, decodeLogEntry);
  if (entry?.kind === 'event') {
    return { ...entry, event: withoutSecrets(entry.event, { isDirectory }) };
  }
  if (entry !== undefined) return entry;
  const masked = maskSecrets(bytes);
  const text = masked.toString('utf8');
  return isUtf8(masked) && !controls.test(text)
    ? { kind: 'unreadable', text }
    : { kind: 'unreadable', hex: masked.toString('hex') };
}
