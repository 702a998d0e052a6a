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
  const pages = Map.groupBy(pagesFor(useUser(), metadata), ({ place }) => place);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const rail = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (path !== '')
      rail.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  const toEntry = (page: Page) => <PageEntry key={page.to} page={page} isNarrow={isNarrow} />;
  return (
    <>
      <AppShell.Section
        grow
        component={ScrollArea}
        viewportRef={rail}
        className={isNarrow ? 'rail-narrow rail' : 'rail'}
      >
        {pages.get('top')?.map(toEntry)}
        <TypeEntries metadata={metadata} isNarrow={isNarrow} />
        {pages.get('bottom')?.map(toEntry)}
        <AdministrationEntries pages={pages.get('administration') ?? []} isNarrow={isNarrow} />
      </AppShell.Section>
      <NarrowButton isNarrow={isNarrow} onToggle={onToggle} />
    </>
  );
}

/** Returns a function that returns whether the current page is at one of the paths, or below it. */
function useIsAt(): (...places: readonly string[]) => boolean {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (...places) => places.some((place) => path === place || path.startsWith(`${place}/`));
}

function PageEntry({ page, isNarrow }: { readonly page: Page; readonly isNarrow: boolean }) {
  const t = useText();
  const isAt = useIsAt();
  const { to, title, Icon } = page;
  return (
    <Entry
      label={t(title)}
      Icon={Icon}
      isNarrow={isNarrow}
      active={isAt(to)}
      renderRoot={(props) => <Link to={to} {...props} />}
    />
  );
}

const placesOf = ({ name }: Entity) => [`/records/${name}`, `/board/${name}`];

function TypeEntries({ metadata, isNarrow }: Omit<Props, 'onToggle'>) {
  const t = useText();
  const isAt = useIsAt();
  const { main, others } = groupTabs(metadata, useUser());
  if (main.length === 0) return null;
  const toEntry = (entity: Entity) => (
    <Entry
      key={entity.name}
      label={entity.labelPlural}
      Icon={iconOf(entity.name)}
      isNarrow={isNarrow}
      active={isAt(...placesOf(entity))}
      renderRoot={(props) => (
        <Link to="/records/$entity" params={{ entity: entity.name }} {...props} />
      )}
    />
  );
  return (
    <>
      <Text size="xs" fw={700} c="dimmed" px="sm" py={4} component="h2" className="rail-text">
        {t('shell.records')}
      </Text>
      {main.map(toEntry)}
      {others.length === 0 ? null : (
        <EntryGroup
          name="more"
          label={t('shell.more')}
          Icon={IconDots}
          isNarrow={isNarrow}
          isCurrent={isAt(...others.flatMap(placesOf))}
        >
          {others.map(toEntry)}
        </EntryGroup>
      )}
      <Divider my="xs" />
    </>
  );
}

/** The pages of administrators in a group. Other users have few of them, which need no group. */
function AdministrationEntries(props: {
  readonly pages: readonly Page[];
  readonly isNarrow: boolean;
}) {
  const t = useText();
  const session = useUser();
  const isAt = useIsAt();
  const { pages, isNarrow } = props;
  const entries = (
    <>
      {pages.map((page) => (
        <PageEntry key={page.to} page={page} isNarrow={isNarrow} />
      ))}
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
    </>
  );
  if (!isAdministrator(session)) return entries;
  return (
    <EntryGroup
      name="administration"
      label={t('shell.administration')}
      Icon={IconSettings}
      isNarrow={isNarrow}
      isCurrent={isAt(...pages.map(({ to }) => to))}
    >
      {entries}
    </EntryGroup>
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
        py={isNarrow ? 6 : 3}
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
