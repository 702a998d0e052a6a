import { Badge, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import type { StreamItem } from '../../../api/stream.ts';
import { RecordAvatar } from '../../../fields/avatar.tsx';
import { FileLink } from '../../../fields/record-link.tsx';
import { useText } from '../../../language/language.tsx';
import { Ago } from '../../../parts/time.tsx';
import { ChangedValues } from './changed-values.tsx';
import { Headline } from './headline.tsx';
import { EditPost, PostMenu } from './post-actions.tsx';
import { PostBody } from './post-body.tsx';
import { ReactionMenu, Reactions } from './reactions.tsx';
import { readMentions } from './split-mentions.ts';

interface Props {
  readonly item: StreamItem;
  readonly entity: Entity;
}

/** A post, or a change of a record. */
export function Item(props: Props & { readonly record: AnyRecord }) {
  const { item, entity, record } = props;
  const t = useText();
  const [isEditing, setIsEditing] = useState(false);
  const isPost = item.type === 'Post';
  return (
    <List.Item styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
      <Paper withBorder p="sm">
        <Stack gap={6}>
          <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <Group gap="xs">
              <Text size="sm" fw={600} className="wrapping">
                <RecordAvatar
                  entity="User"
                  id={item.createdById ?? ''}
                  name={item.createdByName ?? undefined}
                />
                <Headline item={item} />
              </Text>
              {item.isPinned ? (
                <Badge size="sm" variant="default" tt="none">
                  {t('stream.pinned')}
                </Badge>
              ) : null}
            </Group>
            <Group gap="xs" wrap="nowrap" style={{ flex: 'none' }}>
              <Text size="xs" c="dimmed">
                <Ago value={item.createdAt} />
                {isPost && item.modifiedAt !== item.createdAt ? ` ${t('stream.edited')}` : ''}
              </Text>
              {isPost ? (
                <Group gap={4}>
                  <ReactionMenu item={item} />
                  <PostMenu
                    item={item}
                    entity={entity}
                    record={record}
                    onEdit={() => setIsEditing(true)}
                  />
                </Group>
              ) : null}
            </Group>
          </Group>
          {isEditing ? (
            <EditPost item={item} onDone={() => setIsEditing(false)} />
          ) : (
            <Content item={item} entity={entity} />
          )}
        </Stack>
      </Paper>
    </List.Item>
  );
}

function Content({ item, entity }: Props) {
  const files = item.attachmentsIds ?? [];
  return (
    <>
      {item.post ? (
        <Text size="sm" component="div">
          <PostBody text={item.post} mentions={readMentions(item.data)} />
        </Text>
      ) : null}
      <ChangedValues item={item} entity={entity} />
      {files.length === 0 ? null : (
        <Text size="sm" component="div">
          {files.map((id) => (
            <FileLink key={id} id={id} name={item.attachmentsNames?.[id]} />
          ))}
        </Text>
      )}
      {item.type === 'Post' ? <Reactions item={item} /> : null}
    </>
  );
}
