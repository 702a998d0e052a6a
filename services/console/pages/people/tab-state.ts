/** The state of the page of one user, team or role, kept in its address. */
export interface TabState {
  readonly tab: 'details' | 'members' | 'rights' | 'teams' | undefined;
  /** The entity type whose field permissions a role page shows. */
  readonly entity: string | undefined;
  /** The search text for scopes on a role page. */
  readonly q: string | undefined;
}

const tabs = ['details', 'members', 'rights', 'teams'] as const;

export const tabReaders = {
  tab: (raw: unknown) => tabs.find((tab) => tab === raw),
  entity: (raw: unknown) => (typeof raw === 'string' ? raw : undefined),
  q: (raw: unknown) => (typeof raw === 'object' ? undefined : String(raw)),
};
