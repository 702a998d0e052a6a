/** What the address of one user, team or role says. */
export interface TabState {
  readonly tab: 'details' | 'members' | 'rights' | 'teams' | undefined;
  /** Of a role: the type whose fields are shown. */
  readonly entity: string | undefined;
  /** Of a role: a text that types are searched for by. */
  readonly q: string | undefined;
}

const tabs = ['details', 'members', 'rights', 'teams'] as const;

export const tabReaders = {
  tab: (raw: unknown) => tabs.find((tab) => tab === raw),
  entity: (raw: unknown) => (typeof raw === 'string' ? raw : undefined),
  q: (raw: unknown) => (typeof raw === 'object' ? undefined : String(raw)),
};
