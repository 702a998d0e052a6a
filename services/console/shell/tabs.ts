import {
  IconActivity,
  IconChartLine,
  IconSchema,
  IconServer,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { Entity, Metadata } from '../api/metadata.ts';

/** Returns the entity types for the navigation, in the order of the API. */
export function tabsOf(metadata: Metadata): readonly Entity[] {
  return [...metadata.values()].filter(({ scope }) => scope.tab);
}

// Pages with `Role` are visible to administrators only, like roles.
const pages = [
  { to: '/overview', text: 'overview.title', Icon: IconChartLine, entity: 'Role' },
  { to: '/webhooks', text: 'webhooks.title', Icon: IconWebhook, entity: 'Webhook' },
  { to: '/people', text: 'people.title', Icon: IconUsers, entity: 'User' },
  { to: '/definitions', text: 'definitions.title', Icon: IconSchema, entity: 'Role' },
  { to: '/log', text: 'log.title', Icon: IconActivity, entity: 'Role' },
  { to: '/system', text: 'system.title', Icon: IconServer, entity: 'Role' },
] as const;

/** Returns the pages other than record lists whose entity type is visible to the user. */
export function pagesOf(metadata: Metadata) {
  return pages.filter(({ entity }) => metadata.has(entity));
}
