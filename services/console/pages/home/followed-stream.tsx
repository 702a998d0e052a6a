import { useQuery } from '@tanstack/react-query';
import { ownStreamQuery } from '../../api/home.ts';
import type { StreamItem } from '../../api/stream.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Ago } from '../../parts/time.tsx';
import { Headline } from '../record/stream/headline.tsx';
import { EntryList } from './entry-list.tsx';

/** The newest posts and changes of the records that the user follows. */
export function FollowedStream() {
  const t = useText();
  const found = useQuery(ownStreamQuery);
  if (found.data === undefined) return <Pending query={found} height={240} />;
  return (
    <EntryList
      label={t('home.stream')}
      empty={t('home.nothingFollowed')}
      entries={found.data.map((item) => ({
        key: item.id,
        title: <Headline item={item} />,
        detail: <About item={item} />,
        when: <Ago value={item.createdAt} />,
      }))}
    />
  );
}

/** The record, and the beginning of a post. */
function About({ item }: { readonly item: StreamItem }) {
  const { parentType, parentId, parentName, post } = item;
  return (
    <>
      {parentType !== null && parentId !== null ? (
        <RecordLink underline="always" entity={parentType} id={parentId} name={parentName} />
      ) : null}
      {post === null ? '' : ` ${post.slice(0, 200)}`}
    </>
  );
}
