import { Button, Group, List, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { type StreamItem, streamQuery, writePost } from '../../api/stream.ts';
import { FileInputs } from '../../fields/file-inputs.tsx';
import type { Values } from '../../fields/input-parts.ts';
import { FileLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Ago } from '../../parts/time.tsx';
import { Followers } from './followers.tsx';

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
}

/** The posts and changes of a record, newest first. */
export function StreamTab({ entity, record }: Props) {
  const t = useText();
  const stream = useInfiniteQuery(streamQuery(entity.name, record.id));
  if (stream.data === undefined) return <Pending query={stream} height={160} />;
  const items = stream.data.pages.flat();
  return (
    <Stack maw={760}>
      <PostForm entity={entity} record={record} />
      <Followers entity={entity.name} id={record.id} />
      {items.length === 0 ? (
        <Empty title={t('stream.nothing')} text={t('stream.nothingText')} />
      ) : (
        <List listStyleType="none" spacing="sm" aria-label={t('stream.list')}>
          {items.map((item) => (
            <Item key={item.id} item={item} entity={entity} />
          ))}
        </List>
      )}
      {stream.hasNextPage ? (
        <Button
          variant="default"
          loading={stream.isFetchingNextPage}
          onClick={() => void stream.fetchNextPage()}
        >
          {t('stream.more')}
        </Button>
      ) : null}
    </Stack>
  );
}

function PostForm({ entity, record }: Props) {
  const t = useText();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [files, setFiles] = useState<Values>({});
  const current = files['attachmentsIds'];
  const attachmentsIds: readonly string[] = Array.isArray(current) ? current : [];
  const refresh = () => void queries.invalidateQueries({ queryKey: ['records', entity.name] });
  const posting = useMutation({
    mutationFn: () =>
      writePost({ entity: entity.name, id: record.id }, { post: text, attachmentsIds }),
    onSuccess: () => {
      setText('');
      setFiles({});
      refresh();
    },
  });
  return (
    <Stack gap="xs">
      <Textarea
        label={t('stream.write')}
        autosize
        minRows={2}
        maxRows={12}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <PostFiles values={files} onChange={setFiles} />
      {posting.error === null ? null : <ErrorDetails error={posting.error} />}
      <Group>
        <Button
          disabled={text.trim() === '' && attachmentsIds.length === 0}
          loading={posting.isPending}
          onClick={() => posting.mutate()}
        >
          {t('stream.post')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The attachments of a post. */
function PostFiles(props: { readonly values: Values; readonly onChange: (files: Values) => void }) {
  const note = useMetadata().get('Note');
  const field = note?.fields['attachments'];
  if (note === undefined || field === undefined) return null;
  return (
    <FileInputs
      {...props}
      isSeveral
      entity={note}
      name="attachments"
      field={field}
      label={note.labelOf('attachments')}
      error={undefined}
    />
  );
}

function Item({ item, entity }: { readonly item: StreamItem; readonly entity: Entity }) {
  const files = item.attachmentsIds ?? [];
  return (
    <List.Item styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
      <Paper withBorder p="sm">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600}>
            <Headline item={item} entity={entity} />
          </Text>
          <Text size="xs" c="dimmed">
            <Ago value={item.createdAt} />
          </Text>
        </Group>
        {item.post ? (
          <Text size="sm" className="field-value">
            {item.post}
          </Text>
        ) : null}
        {files.map((id) => (
          <FileLink key={id} id={id} name={item.attachmentsNames?.[id]} />
        ))}
      </Paper>
    </List.Item>
  );
}

const headlines = {
  Post: 'stream.posted',
  Create: 'stream.created',
  CreateRelated: 'stream.createdRelated',
  Update: 'stream.updated',
  Assign: 'stream.assigned',
  Relate: 'stream.related',
  Unrelate: 'stream.unrelated',
} as const;

function Headline({ item, entity }: { readonly item: StreamItem; readonly entity: Entity }) {
  const t = useText();
  const { data } = item;
  const by = item.createdByName ?? t('stream.someone');
  if (item.type === 'Assign' && !data['assignedUserId']) return t('stream.unassigned', { by });
  const fields = Array.isArray(data['fields']) ? data['fields'] : [];
  const related = Array.isArray(data['relatedIds']) ? data['relatedIds'].length : 1;
  return t(headlines[item.type], {
    by,
    to: String(data['assignedUserName'] ?? ''),
    fields: fields.map((name) => entity.labelOf(String(name))).join(', '),
    name: item.relatedName ?? t('stream.others', { count: related }),
  });
}
