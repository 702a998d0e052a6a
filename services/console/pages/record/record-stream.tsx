import { Button, Group, List, SegmentedControl, Stack, Title } from '@mantine/core';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { Dispatch, SetStateAction } from 'react';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import {
  type StreamFilter,
  type StreamItem,
  streamFilters,
  streamQuery,
  writePost,
} from '../../api/stream.ts';
import { FileInputs } from '../../fields/file-inputs.tsx';
import type { Values } from '../../fields/input-parts.ts';
import { useText } from '../../language/language.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { usePostParser } from './stream/post-body.tsx';
import { PostText } from './stream/post-text.tsx';
import { Item } from './stream/stream-item.tsx';

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
}

/** A post that has not been sent. */
interface Draft {
  readonly text: string;
  readonly files: Values;
}

export const emptyDraft: Draft = { text: '', files: {} };

interface DraftProps {
  /** Kept by the page, because the stream moves between a tab and a column. */
  readonly draft: Draft;
  readonly onDraft: Dispatch<SetStateAction<Draft>>;
}

/** The posts and changes of a record, newest first. */
export function RecordStream(
  props: Props &
    DraftProps & {
      /** True if the page shows a past version. */
      readonly isPast: boolean;
      readonly filter: StreamFilter;
      readonly onFilter: (filter: StreamFilter) => void;
    },
) {
  const t = useText();
  const { entity, record, draft, onDraft, isPast, filter, onFilter } = props;
  usePostParser();
  const stream = useInfiniteQuery({
    ...streamQuery(entity.name, record.id, filter),
    placeholderData: keepPreviousData,
  });
  if (stream.data === undefined) return <Pending query={stream} height={160} />;
  const { pages } = stream.data;
  const items = pages.flatMap(({ list }) => list);
  const pinned = filter === 'updates' ? [] : (pages[0]?.pinnedList ?? []);
  return (
    <Stack maw={760}>
      {isPast ? <Hint>{t('stream.isPresent')}</Hint> : null}
      {isPast || record['deleted'] === true ? null : (
        <PostForm entity={entity} record={record} draft={draft} onDraft={onDraft} />
      )}
      <Filter filter={filter} onFilter={onFilter} />
      {pinned.length === 0 ? null : (
        <>
          <Title order={2} size="h5">
            {t('stream.pinnedPosts')}
          </Title>
          <Items label={t('stream.pinnedPosts')} items={pinned} entity={entity} record={record} />
        </>
      )}
      {items.length === 0 ? (
        <Empty title={t('stream.nothing')} text={t('stream.nothingText')} />
      ) : (
        <Items label={t('stream.list')} items={items} entity={entity} record={record} />
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

function Items(props: {
  readonly label: string;
  readonly items: readonly StreamItem[];
  readonly entity: Entity;
  readonly record: AnyRecord;
}) {
  return (
    <List listStyleType="none" spacing="sm" aria-label={props.label}>
      {props.items.map((item) => (
        <Item key={item.id} item={item} entity={props.entity} record={props.record} />
      ))}
    </List>
  );
}

const filterTexts = {
  all: 'stream.showAll',
  posts: 'stream.showPosts',
  updates: 'stream.showUpdates',
} as const;

function Filter(props: {
  readonly filter: StreamFilter;
  readonly onFilter: (filter: StreamFilter) => void;
}) {
  const t = useText();
  return (
    <Group>
      <SegmentedControl
        size="xs"
        aria-label={t('stream.show')}
        value={props.filter}
        onChange={(value) => props.onFilter(value)}
        data={streamFilters.map((value) => ({ value, label: t(filterTexts[value]) }))}
      />
    </Group>
  );
}

function PostForm({ entity, record, draft, onDraft }: Props & DraftProps) {
  const t = useText();
  const queries = useQueryClient();
  const { text, files } = draft;
  const current = files['attachmentsIds'];
  const attachmentsIds: readonly string[] = Array.isArray(current) ? current : [];
  const refresh = () => void queries.invalidateQueries({ queryKey: ['records', entity.name] });
  const posting = useMutation({
    mutationFn: () =>
      writePost({ entity: entity.name, id: record.id }, { post: text, attachmentsIds }),
    onSuccess: () => {
      onDraft(emptyDraft);
      refresh();
    },
  });
  return (
    <Stack gap="xs">
      <PostText
        label={t('stream.write')}
        text={text}
        onText={(written) => onDraft((now) => ({ ...now, text: written }))}
      />
      {posting.error === null ? null : <ErrorDetails error={posting.error} />}
      {/* The text of the button says what the label says. The label remains for screen readers. */}
      <Group align="flex-start" className="labels-hidden">
        <Button
          disabled={text.trim() === '' && attachmentsIds.length === 0}
          loading={posting.isPending}
          onClick={() => posting.mutate()}
        >
          {t('stream.post')}
        </Button>
        <PostFiles
          values={files}
          onChange={(chosen) => onDraft((now) => ({ ...now, files: chosen }))}
        />
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
