import { type AuditFilter, auditKinds } from '../../api/system.ts';
import { readText } from '../../parts/list/search-state.ts';

/** The state of the page, kept in its address. */
export interface SystemState extends AuditFilter {
  readonly tab: (typeof tabs)[number] | undefined;
  /** Search text for the settings. */
  readonly q: string | undefined;
  /** Sort column of the settings, prefixed with `-` for descending order. */
  readonly sort: string | undefined;
}

const tabs = ['state', 'settings', 'audit'] as const;
const isSort = /^-?(?:name|source)$/;
const isDay = /^\d{4}-\d\d-\d\d$/;

export const systemReaders = {
  tab: (raw: unknown) => tabs.find((tab) => tab === raw),
  q: readText,
  sort: (raw: unknown) => readMatching(raw, isSort),
  kind: (raw: unknown) => auditKinds.find((kind) => kind === raw),
  user: readText,
  from: (raw: unknown) => readMatching(raw, isDay),
  to: (raw: unknown) => readMatching(raw, isDay),
};

function readMatching(raw: unknown, form: RegExp): string | undefined {
  const text = readText(raw);
  return text !== undefined && form.test(text) ? text : undefined;
}
