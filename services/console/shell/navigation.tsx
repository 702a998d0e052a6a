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
  IconChevronDown,
  IconChevronRight,
  IconDots,
  IconExternalLink,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSettings,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Entity, Metadata } from '../api/metadata.ts';
import { isAdministrator, mayReadApiDescription } from '../api/rights.ts';
import { useUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { useOpenGroup } from '../parts/appearance.ts';
import { iconOf } from '../parts/type-icon.ts';
import { groupTabs, type Page, pagesFor } from './tabs.ts';

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
  const { main, others } = groupTabs(metadata, session);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const rail = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (path !== '')
      rail.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  const isAt = (place: string) => path === place || path.startsWith(`${place}/`);
  const isAtType = ({ name }: Entity) => isAt(`/records/${name}`) || isAt(`/board/${name}`);
  const pages = Map.groupBy(pagesFor(session, metadata), ({ place }) => place);
  const administration = pages.get('administration') ?? [];
  const toPage = ({ to, title, Icon }: Page) => (
    <Entry
      key={to}
      label={t(title)}
      Icon={Icon}
      isNarrow={isNarrow}
      active={isAt(to)}
      renderRoot={(props) => <Link to={to} {...props} />}
    />
  );
  const toType = (entity: Entity) => (
    <Entry
      key={entity.name}
      label={entity.labelPlural}
      Icon={iconOf(entity.name)}
      isNarrow={isNarrow}
      active={isAtType(entity)}
      renderRoot={(props) => (
        <Link to="/records/$entity" params={{ entity: entity.name }} {...props} />
      )}
    />
  );
  const documentation = mayReadApiDescription(session) ? (
    <Entry
      label={t('shell.docs')}
      Icon={IconExternalLink}
      isNarrow={isNarrow}
      href="/api/docs"
      target="_blank"
      rel="noopener"
    />
  ) : null;
  return (
    <>
      <AppShell.Section
        grow
        component={ScrollArea}
        viewportRef={rail}
        className={isNarrow ? 'rail-narrow rail' : 'rail'}
      >
        {pages.get('top')?.map(toPage)}
        {main.length === 0 ? null : (
          <Text size="xs" fw={700} c="dimmed" px="sm" py={4} component="h2" className="rail-text">
            {t('shell.records')}
          </Text>
        )}
        {main.map(toType)}
        {others.length === 0 ? null : (
          <EntryGroup
            name="more"
            label={t('shell.more')}
            Icon={IconDots}
            isNarrow={isNarrow}
            isCurrent={others.some(isAtType)}
          >
            {others.map(toType)}
          </EntryGroup>
        )}
        {main.length === 0 ? null : <Divider my="xs" />}
        {pages.get('bottom')?.map(toPage)}
        {isAdministrator(session) ? (
          <EntryGroup
            name="administration"
            label={t('shell.administration')}
            Icon={IconSettings}
            isNarrow={isNarrow}
            isCurrent={administration.some(({ to }) => isAt(to))}
          >
            {administration.map(toPage)}
            {documentation}
          </EntryGroup>
        ) : (
          <>
            {administration.map(toPage)}
            {documentation}
          </>
        )}
      </AppShell.Section>
      <NarrowButton isNarrow={isNarrow} onToggle={onToggle} />
    </>
  );
}

interface EntryGroupProps {
  /** The name under which the preferences store that the group is open. */
  readonly name: string;
  readonly label: string;
  readonly Icon: Icon;
  readonly isNarrow: boolean;
  /** True if the group contains the current page. The group then opens, and closes again after the user leaves it. */
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}

/** Entries that are hidden until the user opens their group. It stays open for the next visit as well. */
function EntryGroup({ name, label, Icon, isNarrow, isCurrent, children }: EntryGroupProps) {
  const [isStoredOpen, storeOpen] = useOpenGroup(name);
  const [isOpen, setOpen] = useState(isStoredOpen || isCurrent);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the page opens or closes the group
  useEffect(() => setOpen(isStoredOpen || isCurrent), [isCurrent]);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Entry
        label={label}
        Icon={Icon}
        isNarrow={isNarrow}
        rightSection={<Chevron size={14} aria-hidden="true" />}
        aria-expanded={isOpen}
        renderRoot={(props) => <button type="button" {...props} />}
        onClick={() => {
          setOpen(!isOpen);
          storeOpen(!isOpen);
        }}
      />
      {isOpen ? <div className="rail-group">{children}</div> : null}
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
