import { Box, Button, Group, Stack, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { markAllRead, notificationsQuery, unreadKey } from '../../api/notifications.ts';
import { viewedUserName } from '../../api/view-as.ts';
import { useText } from '../../language/language.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { NotificationList } from './notification-list.tsx';

/** The latest notifications, which are then read. */
export function NotificationPanel({ onFollow }: { readonly onFollow: () => void }) {
  const t = useText();
  const queries = useQueryClient();
  const loaded = useInfiniteQuery({ ...notificationsQuery, refetchOnWindowFocus: false });
  const pages = loaded.data?.pages.length ?? 0;
  useEffect(() => {
    if (pages > 0) void queries.invalidateQueries({ queryKey: unreadKey });
  }, [pages, queries]);
  const marking = useMutation({
    mutationFn: markAllRead,
    onSuccess: async () => queries.invalidateQueries({ queryKey: ['notifications'] }),
  });
  const items = loaded.data?.pages.flatMap(({ list }) => list);
  return (
    <Stack gap={0} mah="min(560px, calc(100vh - 80px))">
      <Group justify="space-between" px="md" py="xs" gap="xs">
        <Title order={2} size="h5">
          {t('notifications.title')}
        </Title>
        {items?.some(({ read }) => !read) && viewedUserName() === null ? (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={marking.isPending}
            onClick={() => marking.mutate()}
          >
            {t('notifications.markAll')}
          </Button>
        ) : null}
      </Group>
      {marking.error === null ? null : (
        <Box px="md">
          <ErrorDetails error={marking.error} />
        </Box>
      )}
      <Box style={{ overflowY: 'auto' }} pb="xs">
        {items === undefined ? (
          <Box p="md">
            <Pending query={loaded} height={160} />
          </Box>
        ) : items.length === 0 ? (
          <Empty title={t('notifications.none')} text={t('notifications.noneText')} />
        ) : (
          <NotificationList items={items} onFollow={onFollow} />
        )}
        {loaded.hasNextPage ? (
          <Group px="md" pt="xs">
            <Button
              variant="default"
              size="xs"
              loading={loaded.isFetchingNextPage}
              onClick={() => void loaded.fetchNextPage()}
            >
              {t('notifications.older')}
            </Button>
          </Group>
        ) : null}
      </Box>
    </Stack>
  );
}
