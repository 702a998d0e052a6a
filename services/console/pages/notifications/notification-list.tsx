import { Box, Text, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLoadedMetadata } from '../../api/metadata.ts';
import type { Notification } from '../../api/notifications.ts';
import { useText } from '../../language/language.tsx';
import { Ago } from '../../parts/time.tsx';
import { PostExcerpt } from '../record/stream/post-body.tsx';
import classes from './notification-list.module.css';
import { notificationText } from './notification-text.ts';

/** Notifications, newest first, as links to the streams of their records. */
export function NotificationList(props: {
  readonly label?: string;
  readonly items: readonly Notification[];
  /** Called when the user opens a record. */
  readonly onFollow?: () => void;
}) {
  const t = useText();
  const { label = t('notifications.title'), items, onFollow } = props;
  return (
    <ul className={classes['list']} aria-label={label}>
      {items.map((item) => (
        <li key={item.id}>
          <Row item={item} onFollow={onFollow}>
            <span className={classes['dot']} data-unread={!item.read || undefined}>
              {item.read ? null : <VisuallyHidden>{`${t('notifications.new')}: `}</VisuallyHidden>}
            </span>
            <Box miw={0} flex={1}>
              <Text size="sm" fw={item.read ? undefined : 600} className="field-value">
                {notificationText(item, t)}
              </Text>
              <Details item={item} />
              <Text size="xs" c="dimmed">
                <Ago value={item.createdAt} />
              </Text>
            </Box>
          </Row>
        </li>
      ))}
    </ul>
  );
}

/** Posts to users and teams have no record. */
function Row(props: {
  readonly item: Notification;
  readonly onFollow: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  const queries = useQueryClient();
  const { item, onFollow, children } = props;
  const { relatedParentType: entity, relatedParentId: id } = item;
  if (entity === null || id === null) return <div className={classes['row']}>{children}</div>;
  return (
    <Link
      className={classes['row']}
      to="/records/$entity/$id"
      params={{ entity, id }}
      search={{ tab: 'stream' }}
      onClick={() => {
        // The record may be open, in an older state.
        void queries.invalidateQueries({ queryKey: ['records', entity] });
        onFollow?.();
      }}
    >
      {children}
    </Link>
  );
}

/** The beginning of a post, or the names of the changed fields. */
function Details({ item }: { readonly item: Notification }) {
  const { metadata } = useLoadedMetadata();
  const { noteData, relatedParentType } = item;
  const entity = metadata?.get(relatedParentType ?? '');
  const { fields } = noteData.data;
  const names = noteData.type === 'Update' && Array.isArray(fields) ? fields.map(String) : [];
  const { post } = noteData;
  if (!post && names.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" lineClamp={2} className="wrapping">
      {post ? (
        <PostExcerpt text={post} />
      ) : (
        names.map((name) => entity?.labelOf(name) ?? name).join(', ')
      )}
    </Text>
  );
}
