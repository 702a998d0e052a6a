import { readText } from '../../parts/list/search-state.ts';

/** What the address says of a record's page. */
export interface RecordState {
  /** Undefined for reading. */
  readonly mode: 'edit' | undefined;
  readonly tab: string | undefined;
  /** Of the history: which one is shown, and with which it is compared. */
  readonly version: number | undefined;
  readonly compared: number | undefined;
}

const isTab = /^(?:fields|stream|time|link-\w+)$/;

function readVersion(raw: unknown): number | undefined {
  return Number.isInteger(raw) && Number(raw) >= 0 ? Number(raw) : undefined;
}

export const recordReaders = {
  mode: (raw: unknown) => (raw === 'edit' ? ('edit' as const) : undefined),
  tab(raw: unknown) {
    const text = readText(raw);
    return text !== undefined && isTab.test(text) ? text : undefined;
  },
  version: readVersion,
  compared: readVersion,
};
