import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTypeLabel } from '../../api/metadata.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { localeOf, useFormat } from '../../language/format.ts';
import { useLanguage, useText } from '../../language/language.tsx';
import { localDay } from '../../language/local-time.ts';
import { Pending } from '../../parts/page/pending.tsx';
import { useNow } from '../../parts/time.tsx';
import { type AgendaEntry, toAgenda } from './agenda.ts';
import { EntryList } from './entry-list.tsx';
import { type ActivityItem, upcomingQuery } from './home.ts';

/** The activities of today and the next few days. */
export function Upcoming() {
  const t = useText();
  const now = useNow();
  const found = useQuery(upcomingQuery);
  if (found.data === undefined) return <Pending query={found} height={160} />;
  const { list, total } = found.data;
  return (
    <Stack gap="md">
      {toAgenda(list, now).map(({ day, entries }) => (
        <Day key={day} day={day} now={now} entries={entries} />
      ))}
      {total > list.length ? (
        <Text size="sm" c="dimmed">
          {t('home.moreUpcoming', { count: total - list.length })}
        </Text>
      ) : null}
    </Stack>
  );
}

function Day(props: {
  readonly day: string;
  readonly now: Date;
  readonly entries: readonly AgendaEntry[];
}) {
  const t = useText();
  const { day, now, entries } = props;
  const { days, clock } = useClock();
  const near = nearDays[daysBetween(localDay(now), day)];
  const date = days.format(new Date(`${day}T12:00`));
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {near === undefined ? date : `${t(near)}, ${date}`}
      </Title>
      <EntryList
        label={near === undefined ? date : t(near)}
        empty={t('home.nothingPlanned')}
        entries={entries.map((entry) => ({
          key: `${entry.item._scope} ${entry.item.id}`,
          title: (
            <RecordLink entity={entry.item._scope} id={entry.item.id} name={entry.item.name} />
          ),
          detail: <Concerned item={entry.item} />,
          when: <When entry={entry} clock={clock} />,
        }))}
      />
    </div>
  );
}

const nearDays = ['home.today', 'home.tomorrow'] as const;

/** `from` and `to` are days such as `2030-01-31`. */
function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

function useClock() {
  const { language } = useLanguage();
  return useMemo(() => {
    const locale = localeOf(language, navigator.languages);
    return {
      days: new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }),
      clock: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
    };
  }, [language]);
}

/** The time of an activity within its day. */
function When(props: { readonly entry: AgendaEntry; readonly clock: Intl.DateTimeFormat }) {
  const t = useText();
  const format = useFormat();
  const { entry, clock } = props;
  const { day, firstDay, lastDay, start, end, isDue } = entry;
  if (isDue)
    return end === undefined ? t('home.due') : t('home.dueAt', { time: clock.format(end) });
  if (firstDay === lastDay) {
    if (start === undefined) return t('home.allDay');
    return end === undefined ? clock.format(start) : clock.formatRange(start, end);
  }
  const time = end === undefined ? format.day(lastDay) : format.time(end);
  const until = t('home.until', { time });
  return firstDay === day && start !== undefined ? `${clock.format(start)} ${until}` : until;
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
