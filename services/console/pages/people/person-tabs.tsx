import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchState } from '../../parts/list/search-state.ts';
import { type TabState, tabReaders } from './tab-state.ts';

type TabName = NonNullable<TabState['tab']>;

interface Tab {
  readonly name: TabName;
  readonly label: string;
  readonly show: (
    state: Partial<TabState>,
    change: (change: Partial<TabState>, options?: { readonly replace?: boolean }) => void,
  ) => ReactNode;
}

/** Tabs whose selection is kept in the address. The first tab keeps its unsaved input while another one is open. */
export function PersonTabs({ tabs }: { readonly tabs: readonly [Tab, ...(readonly Tab[])] }) {
  const [state, change] = useSearchState<TabState>(tabReaders);
  const [first] = tabs;
  return (
    <Tabs
      value={state.tab ?? first.name}
      onChange={(tab) => change({ tab: tabReaders.tab(tab) })}
      keepMounted={false}
      keepMountedMode="display-none"
      activateTabWithKeyboard={false}
    >
      <Tabs.List mb="md" className="tab-line">
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
