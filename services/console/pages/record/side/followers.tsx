import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUser } from '../../../api/session.ts';
import { followersQuery, setFollowers, setFollowing } from '../../../api/stream.ts';
import { RecordAvatar } from '../../../fields/avatar.tsx';
import { RecordSelect } from '../../../fields/link-inputs.tsx';
import { RecordLink } from '../../../fields/record-link.tsx';
import { useText } from '../../../language/language.tsx';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import { Panel } from '../../../parts/page/panel.tsx';
import { Pending } from '../../../parts/page/pending.tsx';

interface Change {
  readonly ids: readonly string[];
  readonly follow: boolean;
}

/** The followers of a record. Users follow or unfollow it themselves; some may also change other followers. */
export function Followers({ entity, id }: { readonly entity: string; readonly id: string }) {
  const t = useText();
  const { acl, user } = useUser();
  const queries = useQueryClient();
  const found = useQuery(followersQuery(entity, id));
  const changing = useMutation({
    mutationFn: async ({ ids, follow }: Change) =>
      ids.every((one) => one === user.id)
        ? setFollowing(entity, id, follow)
        : setFollowers({ entity, id }, ids, follow),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['records', entity] }),
  });
  const mayManage = user.isAdmin || (acl['followerManagementPermission'] ?? 'no') !== 'no';
  if (found.data === undefined) return <Pending query={found} height={64} />;
  const { list, total } = found.data;
  const follows = list.some((one) => one.id === user.id);
  return (
    <Panel
      title={t('stream.followers', { count: total })}
      actions={
        <Button
          variant="default"
          size="compact-sm"
          loading={changing.isPending}
          onClick={() => changing.mutate({ ids: [user.id], follow: !follows })}
        >
          {t(follows ? 'stream.unfollow' : 'stream.follow')}
        </Button>
      }
    >
      <Stack gap="xs">
        {list.length === 0 ? <Text size="sm">{t('stream.noFollowers')}</Text> : null}
        <Group gap="xs" component="ul" p={0} m={0} fz="sm" style={{ listStyle: 'none' }}>
          {list.map(({ id: follower, name }) => (
            <Group key={follower} component="li" gap={2}>
              <RecordAvatar entity="User" id={follower} name={name} />
              <RecordLink entity="User" id={follower} name={name} />
              {mayManage ? (
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  aria-label={t('stream.removeFollower', { name: name ?? follower })}
                  onClick={() => changing.mutate({ ids: [follower], follow: false })}
                >
                  <IconX size={14} aria-hidden="true" />
                </ActionIcon>
              ) : null}
            </Group>
          ))}
        </Group>
        {mayManage ? (
          // A new key clears the input after each added follower.
          <RecordSelect
            key={total}
            entity="User"
            label={t('stream.addFollower')}
            value=""
            shown=""
            onPick={(picked) => {
              if (picked !== null) changing.mutate({ ids: [picked], follow: true });
            }}
          />
        ) : null}
        {changing.error === null ? null : <ErrorDetails error={changing.error} />}
      </Stack>
    </Panel>
  );
}
