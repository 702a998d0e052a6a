import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTypeLabel } from '../../api/metadata.ts';
import { mayReadCalendars } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { useFormat, useLocale } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { localDay } from '../../language/local-time.ts';
import { useTimeSettings } from '../../language/time-settings.ts';
import { TextLink } from '../../parts/link.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { useNow } from '../../parts/time.tsx';
import { type AgendaEntry, toAgenda } from './agenda.ts';
import { EntryList } from './entry-list.tsx';
import { type ActivityItem, upcomingQuery } from './home.ts';

/** The activities of today and the next few days. */
export function Upcoming() {
  const now = useNow();
  const { timeZone } = useTimeSettings();
  const found = useQuery(upcomingQuery);
  if (found.data === undefined) return <Pending query={found} height={160} />;
  const { list, total } = found.data;
  return (
    <Stack gap="md">
      {toAgenda(list, now, timeZone).map(({ day, entries }) => (
        <Day key={day} day={day} today={localDay(now, timeZone)} entries={entries} />
      ))}
      {total > list.length ? <More count={total - list.length} /> : null}
    </Stack>
  );
}

/** Links to the calendar, if the user may read it. */
function More({ count }: { readonly count: number }) {
  const text = useText()('home.moreUpcoming', { count });
  return mayReadCalendars(useUser()) ? (
    <TextLink size="sm" to="/calendar" search={() => ({ view: 'agenda' })}>
      {text}
    </TextLink>
  ) : (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

function Day(props: {
  readonly day: string;
  readonly today: string;
  readonly entries: readonly AgendaEntry[];
}) {
  const t = useText();
  const { day, today, entries } = props;
  const near = nearDays[daysBetween(today, day)];
  const date = useLongDay()(day);
  const isLinked = mayReadCalendars(useUser());
  const title = near === undefined ? date : `${t(near)}, ${date}`;
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {isLinked ? (
          <TextLink inherit c="inherit" to="/calendar" search={() => ({ view: 'day', date: day })}>
            {title}
          </TextLink>
        ) : (
          title
        )}
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
          when: <When entry={entry} />,
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

/** Returns a function that writes a day with its weekday: `Thursday, 31 January`. */
function useLongDay(): (day: string) => string {
  const locale = useLocale();
  return useMemo(() => {
    const parts = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
    const { format } = new Intl.DateTimeFormat(locale, parts);
    return (day) => format(new Date(`${day}T00:00:00Z`));
  }, [locale]);
}

/** The time of an activity within its day. */
function When({ entry }: { readonly entry: AgendaEntry }) {
  const t = useText();
  const format = useFormat();
  // A line must not begin with AM or PM.
  const clock = (time: Date): string => format.clock(time).replaceAll(/\s/g, '\u00a0');
  const { day, firstDay, lastDay, start, end, isDue } = entry;
  if (isDue) return end === undefined ? t('home.due') : t('home.dueAt', { time: clock(end) });
  if (firstDay === lastDay) {
    if (start === undefined) return t('home.allDay');
    if (end === undefined) return clock(start);
    return `${clock(start)} – ${clock(end)}`;
  }
  const time = end === undefined ? format.day(lastDay) : format.time(end);
  const until = t('home.until', { time });
  return firstDay === day && start !== undefined ? `${clock(start)} ${until}` : until;
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
