import {
  IconActivity,
  IconChartLine,
  IconSchema,
  IconServer,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { Entity, Metadata } from '../api/metadata.ts';

/** Entity types whose records people work with, as the API lists them. */
export function tabsOf(metadata: Metadata): readonly Entity[] {
  return [...metadata.values()].filter(({ scope }) => scope.tab);
}

// Those of `Role` are for administrators, as roles are.
const pages = [
  { to: '/overview', text: 'shell.overview', Icon: IconChartLine, entity: 'Role' },
  { to: '/webhooks', text: 'shell.webhooks', Icon: IconWebhook, entity: 'Webhook' },
  { to: '/people', text: 'shell.people', Icon: IconUsers, entity: 'User' },
  { to: '/definitions', text: 'shell.definitions', Icon: IconSchema, entity: 'Role' },
  { to: '/log', text: 'shell.log', Icon: IconActivity, entity: 'Role' },
  { to: '/system', text: 'shell.system', Icon: IconServer, entity: 'Role' },
] as const;

/** Pages beside those of records, as far as the API shows the user what they are about. */
export function pagesOf(metadata: Metadata) {
  return pages.filter(({ entity }) => metadata.has(entity));
}
