import {
  ActionIcon,
  AppShell,
  Divider,
  type ElementProps,
  NavLink,
  type NavLinkProps,
  ScrollArea,
  Text,
  Tooltip,
} from '@mantine/core';
import {
  type Icon,
  IconExternalLink,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Metadata } from '../api/metadata.ts';
import { mayReadApiDescription } from '../api/rights.ts';
import { useUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { iconOf } from '../parts/type-icon.ts';
import { pagesFor, tabsOf } from './tabs.ts';

interface Props {
  readonly metadata: Metadata;
  /** True if wide screens show only icons. */
  readonly isNarrow: boolean;
  readonly onToggle: () => void;
}

/** Links to all lists and pages that the user may open. */
export function Navigation({ metadata, isNarrow, onToggle }: Props) {
  const t = useText();
  const session = useUser();
  const tabs = tabsOf(metadata);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const rail = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (path !== '')
      rail.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  const isAt = (place: string) => path === place || path.startsWith(`${place}/`);
  const pages = pagesFor(session, metadata);
  const toEntry = ({ to, title, Icon }: (typeof pages)[number]) => (
    <Entry
      key={to}
      label={t(title)}
      Icon={Icon}
      isNarrow={isNarrow}
      active={isAt(to)}
      renderRoot={(props) => <Link to={to} {...props} />}
    />
  );
  return (
    <>
      <AppShell.Section
        grow
        component={ScrollArea}
        viewportRef={rail}
        className={isNarrow ? 'rail-narrow rail' : 'rail'}
      >
        {pages.filter(({ to }) => to === '/home').map(toEntry)}
        {tabs.length === 0 ? null : (
          <Text size="xs" fw={700} c="dimmed" px="sm" py={4} component="h2" className="rail-text">
            {t('shell.records')}
          </Text>
        )}
        {tabs.map(({ name, labelPlural }) => (
          <Entry
            key={name}
            label={labelPlural}
            Icon={iconOf(name)}
            isNarrow={isNarrow}
            active={isAt(`/records/${name}`) || isAt(`/board/${name}`)}
            renderRoot={(props) => (
              <Link to="/records/$entity" params={{ entity: name }} {...props} />
            )}
          />
        ))}
        {tabs.length === 0 ? null : <Divider my="xs" />}
        {pages.filter(({ to }) => to !== '/home').map(toEntry)}
        {mayReadApiDescription(session) ? (
          <Entry
            label={t('shell.docs')}
            Icon={IconExternalLink}
            isNarrow={isNarrow}
            href="/api/docs"
            target="_blank"
            rel="noopener"
          />
        ) : null}
      </AppShell.Section>
      <NarrowButton isNarrow={isNarrow} onToggle={onToggle} />
    </>
  );
}

type EntryProps = NavLinkProps &
  ElementProps<'a', keyof NavLinkProps> & {
    readonly Icon: Icon;
    readonly isNarrow: boolean;
    readonly renderRoot?: (props: Record<string, unknown>) => ReactNode;
  };

/** A link of the navigation. Its label stays accessible while only the icon is visible. */
function Entry({ label, Icon, isNarrow, active = false, ...rest }: EntryProps) {
  return (
    <Tooltip label={label} position="right" disabled={!isNarrow}>
      <NavLink
        py={4}
        label={label}
        leftSection={<Icon size={16} aria-hidden="true" />}
        active={active}
        aria-current={active ? 'page' : undefined}
        {...rest}
      />
    </Tooltip>
  );
}

function NarrowButton({ isNarrow, onToggle }: Omit<Props, 'metadata'>) {
  const t = useText();
  const Sidebar = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <AppShell.Section visibleFrom="sm" p="xs">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t(isNarrow ? 'shell.expand' : 'shell.collapse')}
        onClick={onToggle}
      >
        <Sidebar size={18} />
      </ActionIcon>
    </AppShell.Section>
  );
}
