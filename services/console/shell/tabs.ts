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

interface Page {
  readonly to: NonNullable<LinkProps['to']>;
  readonly title: MessageKey;
  readonly Icon: Icon;
  /** False for users who have no access to the data that the page shows. */
  readonly isOffered: (session: AppUser, tabs: readonly Entity[]) => boolean;
}

const pages: readonly Page[] = [
  {
    to: '/home',
    title: 'home.page',
    Icon: IconHome,
    isOffered: (_session, tabs) => tabs.length > 0,
  },
  {
    to: '/calendar',
    title: 'calendar.title',
    Icon: IconCalendar,
    isOffered: (session, tabs) => mayReadCalendars(session) && tabs.some(isActivity),
  },
  { to: '/recent', title: 'titles.recent', Icon: IconHistory, isOffered: mayChangeTabs },
  { to: '/bin', title: 'bin.title', Icon: IconTrash, isOffered: mayChangeTabs },
  { to: '/overview', title: 'titles.overview', Icon: IconChartLine, isOffered: isAdministrator },
  { to: '/import', title: 'titles.import', Icon: IconFileImport, isOffered: mayImport },
  // API users can have webhooks too, but cannot sign in to the console.
  { to: '/webhooks', title: 'titles.webhooks', Icon: IconWebhook, isOffered: isAdministrator },
  { to: '/people', title: 'titles.people', Icon: IconUsers, isOffered: mayReadUsers },
  { to: '/definitions', title: 'titles.definitions', Icon: IconSchema, isOffered: isAdministrator },
  { to: '/log', title: 'titles.log', Icon: IconActivity, isOffered: isAdministrator },
  { to: '/happened', title: 'titles.happened', Icon: IconTimeline, isOffered: isAdministrator },
  { to: '/system', title: 'titles.system', Icon: IconServer, isOffered: isAdministrator },
];

function mayChangeTabs(session: AppUser, tabs: readonly Entity[]): boolean {
  const types = tabs.map(({ name }) => name);
  return mayChangeRecords(session, types);
}

/** Returns the pages for the navigation, other than lists of records. */
export function pagesFor(session: AppUser, metadata: Metadata): readonly Page[] {
  const tabs = tabsOf(metadata);
  return pages.filter(({ isOffered }) => isOffered(session, tabs));
}
