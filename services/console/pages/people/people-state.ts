import { readText } from '../../parts/list/search-state.ts';

export const peopleTabs = ['users', 'teams', 'roles', 'access'] as const;
export const userTypes = ['regular', 'admin', 'api'] as const;

/** What the address of the overview says. */
export interface PeopleState {
  readonly tab: (typeof peopleTabs)[number] | undefined;
  /** Text that is searched for. */
  readonly q: string | undefined;
  /** A column; with `-` in front, descending. */
  readonly sort: string | undefined;
  /** The first is 0. */
  readonly page: number | undefined;
  readonly type: (typeof userTypes)[number] | undefined;
  /** Of the record of which one asks who may see it. */
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
