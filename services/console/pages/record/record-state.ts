import { readText } from '../../parts/list/search-state.ts';

/** The state of a record's page, kept in its address. */
export interface RecordState {
  /** Undefined while reading. */
  readonly mode: 'edit' | undefined;
  readonly tab: string | undefined;
  /** The version shown in the history; `compared` is the one it is compared with. */
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
