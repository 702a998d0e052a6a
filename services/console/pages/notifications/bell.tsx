import { ActionIcon, Box, Indicator, Popover } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { unreadQuery } from '../../api/notifications.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { openNotificationsEvent } from './open-notifications.ts';

const NotificationPanel = lazy(async () => {
  const { NotificationPanel } = await import('./notification-panel.tsx');
  return { default: NotificationPanel };
});

const maxShown = 99;

/** The button in the header that shows the number of unread notifications and opens the latest ones. */
export function Bell() {
  const t = useText();
  const format = useFormat();
  const [isOpen, panel] = useDisclosure();
  const { data: unread = 0 } = useQuery(unreadQuery);
  const path = useRouterState({ select: ({ location }) => location.href });
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the panel when another page opens
  useEffect(panel.close, [path]);
  useWindowEvent(openNotificationsEvent, panel.open);
  const isMore = unread > maxShown;
  const name =
    unread === 0
      ? t('notifications.title')
      : isMore
        ? t('notifications.unreadMore', { count: maxShown })
        : t('notifications.unread', { count: unread });
  return (
    <Popover
      opened={isOpen}
      onChange={(open) => (open ? panel.open() : panel.close())}
      position="bottom-end"
      offset={12}
      width="min(420px, calc(100vw - 16px))"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Indicator
        label={<span aria-hidden="true">{isMore ? `${maxShown}+` : format.number(unread)}</span>}
        disabled={unread === 0}
        size={16}
        offset={4}
        color="red.8"
      >
        <Popover.Target>
          <ActionIcon variant="default" size="lg" aria-label={name} onClick={panel.toggle}>
            <IconBell size={18} aria-hidden="true" />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0}>
        {/* Takes the focus while the panel is loading. */}
        <Box tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
          {isOpen ? (
            <Suspense>
              <NotificationPanel onFollow={panel.close} />
            </Suspense>
          ) : null}
        </Box>
      </Popover.Dropdown>
    </Popover>
  );
}
