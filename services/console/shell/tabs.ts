import {
  type Icon,
  IconActivity,
  IconCalendar,
  IconChartLine,
  IconFileImport,
  IconHistory,
  IconHome,
  IconSchema,
  IconServer,
  IconTimeline,
  IconTrash,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import { type Entity, isActivity, type Metadata } from '../api/metadata.ts';
import {
  isAdministrator,
  mayChangeRecords,
  mayImport,
  mayReadCalendars,
  mayReadUsers,
} from '../api/rights.ts';
import type { AppUser } from '../api/session.ts';
import type { MessageKey } from '../messages/en.ts';

/** Returns the entity types for the navigation, in the order of the API. */
export function tabsOf(metadata: Metadata): readonly Entity[] {
  return [...metadata.values()].filter(({ scope }) => scope.tab);
}

interface GroupedTabs {
  /** The entity types of the settings in their order, then custom types. */
  readonly main: readonly Entity[];
  readonly others: readonly Entity[];
}

/** Separates the entity types that most users work with from the others. Short lists remain whole. */
export function groupTabs(metadata: Metadata, { settings }: AppUser): GroupedTabs {
  const tabs = tabsOf(metadata);
  const order: readonly string[] = settings.tabList ?? [];
  if (tabs.length <= order.length) return { main: tabs, others: [] };
  const [listed, unlisted] = partition(tabs, ({ name }) => order.includes(name));
  const [custom, others] = partition(unlisted, ({ scope }) => scope.isCustom);
  const sorted = listed.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return { main: [...sorted, ...custom], others };
}

function partition(
  tabs: readonly Entity[],
  isFirst: (tab: Entity) => boolean,
): readonly [readonly Entity[], readonly Entity[]] {
  return [tabs.filter(isFirst), tabs.filter((tab) => !isFirst(tab))];
}

export interface Page {
  readonly to: NonNullable<LinkProps['to']>;
  readonly title: MessageKey;
  readonly Icon: Icon;
  /** Where the navigation lists the page: above or below the records, or in the group of administration. */
  readonly place: 'administration' | 'bottom' | 'top';
  /** False for users who have no access to the data that the page shows. */
  readonly isOffered: (session: AppUser, tabs: readonly Entity[]) => boolean;
}

const pages: readonly Page[] = [
  {
    to: '/home',
    title: 'home.page',
    Icon: IconHome,
    place: 'top',
    isOffered: (_session, tabs) => tabs.length > 0,
  },
  {
    to: '/calendar',
    title: 'calendar.title',
    Icon: IconCalendar,
    place: 'top',
    isOffered: (session, tabs) => mayReadCalendars(session) && tabs.some(isActivity),
  },
  {
    to: '/recent',
    title: 'titles.recent',
    Icon: IconHistory,
    place: 'bottom',
    isOffered: mayChangeTabs,
  },
  { to: '/bin', title: 'bin.title', Icon: IconTrash, place: 'bottom', isOffered: mayChangeTabs },
  {
    to: '/import',
    title: 'titles.import',
    Icon: IconFileImport,
    place: 'bottom',
    isOffered: mayImport,
  },
  ...administration([
    { to: '/people', title: 'titles.people', Icon: IconUsers, isOffered: mayReadUsers },
    { to: '/definitions', title: 'titles.definitions', Icon: IconSchema },
    // API users can have webhooks too, but cannot sign in to the console.
    { to: '/webhooks', title: 'titles.webhooks', Icon: IconWebhook },
    { to: '/overview', title: 'titles.overview', Icon: IconChartLine },
    { to: '/log', title: 'titles.log', Icon: IconActivity },
    { to: '/happened', title: 'titles.happened', Icon: IconTimeline },
    { to: '/system', title: 'titles.system', Icon: IconServer },
  ]),
];

function administration(
  entries: readonly (Omit<Page, 'isOffered' | 'place'> & Partial<Page>)[],
): readonly Page[] {
  return entries.map((page) => ({ place: 'administration', isOffered: isAdministrator, ...page }));
}

function mayChangeTabs(session: AppUser, tabs: readonly Entity[]): boolean {
  const types = tabs.map(({ name }) => name);
  return mayChangeRecords(session, types);
}

/** Returns the pages for the navigation, other than lists of records. */
export function pagesFor(session: AppUser, metadata: Metadata): readonly Page[] {
  const tabs = tabsOf(metadata);
  return pages.filter(({ isOffered }) => isOffered(session, tabs));
}
