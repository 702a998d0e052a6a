import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { latestUnreadQuery, unreadQuery } from '../../api/notifications.ts';
import { useText } from '../../language/language.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { NotificationList } from '../notifications/notification-list.tsx';
import { openNotifications } from '../notifications/open-notifications.ts';

/** The newest unread notifications; nothing if all are read. */
export function UnreadNotifications() {
  const t = useText();
  const { data: unread = 0 } = useQuery(unreadQuery);
  const { data: latest = [] } = useQuery({ ...latestUnreadQuery, enabled: unread > 0 });
  if (unread === 0 || latest.length === 0) return null;
  return (
    <Panel
      title={t('home.unread')}
      actions={
        <Button variant="default" size="compact-sm" onClick={openNotifications}>
          {t('home.allNotifications')}
        </Button>
      }
    >
      <Box mx="calc(var(--mantine-spacing-md) * -1)">
        <NotificationList label={t('home.unread')} items={latest} />
      </Box>
    </Panel>
  );
}
