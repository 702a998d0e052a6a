import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Entity } from '../../api/metadata.ts';
import type { ReadRecord } from '../../api/records.ts';
import { useSearchState } from '../../parts/list/search-state.ts';

type TabName = NonNullable<TabState['tab']>;

interface Tab {
  readonly name: TabName;
  readonly label: string;
  readonly show: (
    state: Partial<TabState>,
    change: (change: Partial<TabState>, options?: { readonly replace?: boolean }) => void,
  ) => ReactNode;
}

/** Tabs whose selection is kept in the URL. The first tab keeps its unsaved input while another one is open. */
export function PersonTabs({ tabs }: { readonly tabs: readonly [Tab, ...(readonly Tab[])] }) {
  const [state, change] = useSearchState<TabState>(tabReaders);
  const [first] = tabs;
  return (
    <Tabs
      value={state.tab ?? first.name}
      onChange={(tab) => change({ tab: tabReaders.tab(tab) })}
      keepMountedMode="display-none"
    >
      <Tabs.List>
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.name} value={tab.name} keepMounted={tab === first}>
          {tab.show(state, change)}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The state of the page of one user, team or role, kept in its URL. */
export interface TabState {
  readonly tab: 'details' | 'integration' | 'members' | 'rights' | 'teams' | undefined;
  /** The entity type whose field permissions a role page shows. */
  readonly entity: string | undefined;
  /** The search text for scopes on a role page. */
  readonly q: string | undefined;
}

const tabs = ['details', 'integration', 'members', 'rights', 'teams'] as const;

const tabReaders = {
  tab: (raw: unknown) => tabs.find((tab) => tab === raw),
  entity: (raw: unknown) => (typeof raw === 'string' ? raw : undefined),
  q: (raw: unknown) => (typeof raw === 'object' ? undefined : String(raw)),
};

/** Properties of the tabs of users, teams and roles. */
export interface TabsProps {
  readonly entity: Entity;
  readonly found: ReadRecord;
}
