import { type EventFilter, eventTypes } from '../../api/system.ts';
import { readText } from '../../parts/list/search-state.ts';

/** The state of the page, kept in its address. */
export interface LogState extends EventFilter {
  readonly tab: (typeof tabs)[number] | undefined;
  /** The rejected entry whose details are open, as `{topic}/{partition}/{offset}`. */
  readonly entry: string | undefined;
}

const tabs = ['live', 'topics', 'rejected'] as const;
const isPlace = /^[\w.-]+\/\d{1,9}\/\d{1,18}$/;

export const logReaders = {
  tab: (raw: unknown) => tabs.find((tab) => tab === raw),
  entry(raw: unknown) {
    const text = readText(raw);
    return text !== undefined && isPlace.test(text) ? text : undefined;
  },
  entityType: readText,
  id: readText,
  userId: readText,
  type: (raw: unknown) => eventTypes.find((type) => type === raw),
};
