import { Divider, NavLink, ScrollArea, Text } from '@mantine/core';
import { IconExternalLink, IconTable } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import type { Metadata } from '../api/metadata.ts';
import { useText } from '../language/language.tsx';
import { pagesOf, tabsOf } from './tabs.ts';

export function Navigation({ metadata }: { readonly metadata: Metadata }) {
  const t = useText();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isAt = (place: string) => path === place || path.startsWith(`${place}/`);
  return (
    <ScrollArea h="100%" p="xs">
      <Text size="xs" fw={700} c="dimmed" px="sm" py={4} component="h2">
        {t('shell.records')}
      </Text>
      {tabsOf(metadata).map(({ name, labelPlural }) => {
        const isActive = isAt(`/records/${name}`);
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
      <Divider my="xs" />
      {pagesOf(metadata).map(({ to, text, Icon }) => (
        <NavLink
          key={to}
          label={t(text)}
          leftSection={<Icon size={16} aria-hidden="true" />}
          active={isAt(to)}
          aria-current={isAt(to) ? 'page' : undefined}
          renderRoot={(props) => <Link to={to} {...props} />}
        />
      ))}
      <NavLink
        label={t('shell.docs')}
        leftSection={<IconExternalLink size={16} aria-hidden="true" />}
        href="/api/docs"
      />
    </ScrollArea>
  );
}
