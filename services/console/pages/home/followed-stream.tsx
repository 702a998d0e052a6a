import { Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMetadata } from '../../api/metadata.ts';
import type { StreamItem } from '../../api/stream.ts';
import { RecordAvatar } from '../../fields/avatar.tsx';
import { RecordLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Ago } from '../../parts/time.tsx';
import { ChangedValues } from '../record/stream/changed-values.tsx';
import { Headline } from '../record/stream/headline.tsx';
import { PostBody, usePostParser } from '../record/stream/post-body.tsx';
import { readMentions } from '../record/stream/split-mentions.ts';
import { EntryList } from './entry-list.tsx';
import { ownStreamQuery } from './home.ts';

/** The posts and changes of the records that the user follows, newest first. */
export function FollowedStream() {
  const t = useText();
  usePostParser();
  const stream = useInfiniteQuery(ownStreamQuery);
  if (stream.data === undefined) return <Pending query={stream} height={240} />;
  return (
    <Stack gap="md">
      <EntryList
        label={t('home.stream')}
        empty={t('home.nothingFollowed')}
        entries={stream.data.pages.flat().map((item) => ({
          key: item.id,
          action: (
            <RecordAvatar
              entity="User"
              id={item.createdById ?? ''}
              name={item.createdByName ?? undefined}
            />
          ),
          title: <About item={item} />,
          detail: <Content item={item} />,
          when: <Ago value={item.createdAt} />,
        }))}
      />
      {stream.hasNextPage ? (
        <Button
          variant="default"
          size="compact-sm"
          loading={stream.isFetchingNextPage}
          onClick={() => void stream.fetchNextPage()}
        >
          {t('stream.more')}
        </Button>
      ) : null}
    </Stack>
  );
}

/** The record; for posts to users and teams what happened. */
function About({ item }: { readonly item: StreamItem }) {
  const { parentType, parentId, parentName } = item;
  if (parentType === null || parentId === null) return <Headline item={item} />;
  return <RecordLink entity={parentType} id={parentId} name={parentName} />;
}

function Content({ item }: { readonly item: StreamItem }) {
  const entity = useMetadata().get(item.parentType ?? '');
  return (
    <>
      {item.parentId === null ? null : (
        <>
          {entity === undefined ? null : `${entity.label} · `}
          <Headline item={item} />
        </>
      )}
      {item.post === null || item.post === '' ? null : (
        <Text size="sm" c="var(--mantine-color-text)" lineClamp={4} component="div">
          <PostBody text={item.post} mentions={readMentions(item.data)} />
        </Text>
      )}
      {entity === undefined ? null : <ChangedValues item={item} entity={entity} />}
    </>
  );
}
