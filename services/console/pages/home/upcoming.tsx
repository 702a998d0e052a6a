import { useQuery } from '@tanstack/react-query';
import { type ActivityItem, upcomingQuery } from '../../api/home.ts';
import { useTypeLabel } from '../../api/metadata.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { EntryList } from './entry-list.tsx';
import { Moment } from './moment.tsx';

/** The activities of the next seven days. */
export function Upcoming() {
  const t = useText();
  const found = useQuery(upcomingQuery);
  if (found.data === undefined) return <Pending query={found} height={120} />;
  return (
    <EntryList
      label={t('home.upcoming')}
      empty={t('home.nothingUpcoming')}
      entries={found.data.map((item) => ({
        key: item.id,
        title: <RecordLink entity={item._scope} id={item.id} name={item.name} />,
        detail: <Concerned item={item} />,
        when: (
          <Moment
            time={item.dateStart ?? item.dateEnd}
            day={item.dateStartDate ?? item.dateEndDate}
          />
        ),
      }))}
    />
  );
}

/** The type of an activity, and the record that it concerns. */
function Concerned({ item }: { readonly item: ActivityItem }) {
  const type = useTypeLabel()(item._scope);
  if (!item.parentType || !item.parentId) return type;
  return (
    <>
      {type} ·{' '}
      <RecordLink
        underline="always"
        entity={item.parentType}
        id={item.parentId}
        name={item.parentName}
      />
    </>
  );
}
