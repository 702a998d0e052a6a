import { Divider, NavLink, ScrollArea, Text } from '@mantine/core';
import { IconExternalLink, IconTable } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import type { Metadata } from '../api/metadata.ts';
import { mayReadApiDescription } from '../api/rights.ts';
import { useUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { pagesFor, tabsOf } from './tabs.ts';

export function Navigation({ metadata }: { readonly metadata: Metadata }) {
  const t = useText();
  const session = useUser();
  const tabs = tabsOf(metadata);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isAt = (place: string) => path === place || path.startsWith(`${place}/`);
  const pages = pagesFor(session, metadata);
  const link = ({ to, title, Icon }: (typeof pages)[number]) => (
    <NavLink
      key={to}
      label={t(title)}
      leftSection={<Icon size={16} aria-hidden="true" />}
      active={isAt(to)}
      aria-current={isAt(to) ? 'page' : undefined}
      renderRoot={(props) => <Link to={to} {...props} />}
    />
  );
  return (
    // The padding is inside, because the area would cut the focus rings of links at its edges.
    <ScrollArea h="100%" styles={{ content: { padding: 'var(--mantine-spacing-xs)' } }}>
      {pages.filter(({ to }) => to === '/home').map(link)}
      {tabs.length === 0 ? null : (
        <Text size="xs" fw={700} c="dimmed" px="sm" py={4} component="h2">
          {t('shell.records')}
        </Text>
      )}
      {tabs.map(({ name, labelPlural }) => {
        const isActive = isAt(`/records/${name}`) || isAt(`/board/${name}`);
        return (
          <NavLink
            key={name}
            label={labelPlural}
            leftSection={<IconTable size={16} aria-hidden="true" />}
            active={isActive}
            aria-current={isActive ? 'page' : undefined}
            renderRoot={(props) => (
              <Link to="/records/$entity" params={{ entity: name }} {...props} />
            )}
          />
        );
      })}
      {tabs.length === 0 ? null : <Divider my="xs" />}
      {pages.filter(({ to }) => to !== '/home').map(link)}
      {mayReadApiDescription(session) ? (
        <NavLink
          label={t('shell.docs')}
          leftSection={<IconExternalLink size={16} aria-hidden="true" />}
          href="/api/docs"
          target="_blank"
          rel="noopener"
        />
      ) : null}
    </ScrollArea>
  );
}
