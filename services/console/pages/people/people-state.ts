import { readText } from '../../parts/list/search-state.ts';

export const peopleTabs = ['users', 'teams', 'roles', 'access'] as const;
export const userTypes = ['regular', 'admin', 'api'] as const;

/** The state of the page, kept in its URL. */
export interface PeopleState {
  readonly tab: (typeof peopleTabs)[number] | undefined;
  /** Search text. */
  readonly q: string | undefined;
  /** Name of the sort column, prefixed with `-` for descending order. */
  readonly sort: string | undefined;
  /** Numbered from 0. */
  readonly page: number | undefined;
  readonly type: (typeof userTypes)[number] | undefined;
  /** Entity type of the record whose readers are shown. */
  readonly entity: string | undefined;
  readonly id: string | undefined;
}

export const peopleReaders = {
  tab: (raw: unknown) => peopleTabs.find((tab) => tab === raw),
  q: readText,
  sort(raw: unknown) {
    const text = readText(raw);
    return text !== undefined && /^-?\w+$/.test(text) ? text : undefined;
  },
  page: (raw: unknown) => (Number.isInteger(raw) && Number(raw) > 0 ? Number(raw) : undefined),
  type: (raw: unknown) => userTypes.find((type) => type === raw),
  entity: readText,
  id: readText,
};
