import type { LogEntry } from '../../shared/events/log-entry.ts';
import { decodeLogEntry } from '../../shared/events/log-entry-codec.ts';

/** What cannot be decoded is reported and parked by the projector; here it only must not stop anything. */
export function decodeEntry(bytes: Buffer | null): LogEntry | undefined {
  try {
    return decodeLogEntry(bytes);
  } catch {
    return undefined;
  }
}
