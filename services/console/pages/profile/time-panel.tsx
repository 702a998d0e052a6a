import { NativeSelect, Select, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { usePreference } from '../../api/preferences.ts';
import { writeClock, writeDay } from '../../language/date-patterns.ts';
import { useLocale } from '../../language/format.ts';
import { localDay } from '../../language/local-time.ts';
import { usePageText } from '../../language/page-text.ts';
import { readTimeSettings, type TimeSettings, useTimeZone } from '../../language/time-settings.ts';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { Panel } from '../../parts/page/panel.tsx';

const dateFormats = ['DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD'];
const timeFormats = ['HH:mm', 'hh:mm a', 'hh:mm A'];

/** How days and times are written, and the time zone, on all devices of the user. */
export function TimePanel() {
  const t = usePageText();
  const [error, setError] = useState<unknown>(null);
  const [dateFormat, chooseDateFormat] = useSetting('dateFormat', setError);
  const [timeFormat, chooseTimeFormat] = useSetting('timeFormat', setError);
  const today = localDay(new Date(), useTimeZone());
  const ofBrowser = { value: '', label: t('profile.ofBrowser') };
  return (
    <Panel title={t('profile.times')}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label={t('profile.dateFormat')}
            value={dateFormat ?? ''}
            onChange={({ currentTarget }) => chooseDateFormat(currentTarget.value)}
            data={[
              ofBrowser,
              ...withCurrent(dateFormats, dateFormat).map((value) => ({
                value,
                label: writeDay(today, { day: value }),
              })),
            ]}
          />
          <NativeSelect
            label={t('profile.timeFormat')}
            value={timeFormat ?? ''}
            onChange={({ currentTarget }) => chooseTimeFormat(currentTarget.value)}
            data={[
              ofBrowser,
              ...withCurrent(timeFormats, timeFormat).map((value) => ({
                value,
                label: writeClock('14:05', { clock: value }),
              })),
            ]}
          />
          <WeekStartSelect onError={setError} />
          <ZoneSelect onError={setError} />
        </SimpleGrid>
        <ErrorAlert error={error} />
      </Stack>
    </Panel>
  );
}

/** Other clients can store formats that are not offered here. */
function withCurrent(offered: readonly string[], current: string | undefined): readonly string[] {
  return current === undefined ? offered : [...new Set([...offered, current])];
}

interface SelectProps {
  readonly onError: (error: unknown) => void;
}

function WeekStartSelect({ onError }: SelectProps) {
  const t = usePageText();
  const [weekStart, choose] = useSetting('weekStart', onError);
  const { format } = new Intl.DateTimeFormat(useLocale(), { weekday: 'long', timeZone: 'UTC' });
  const days = [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    value: String(day),
    // 4 January 1970 was a Sunday.
    label: format(Date.UTC(1970, 0, 4 + day)),
  }));
  return (
    <NativeSelect
      label={t('profile.weekStart')}
      value={weekStart === undefined ? '' : String(weekStart)}
      onChange={({ currentTarget: { value } }) => choose(value === '' ? '' : Number(value))}
      data={[{ value: '', label: t('profile.ofBrowser') }, ...days]}
    />
  );
}

function ZoneSelect({ onError }: SelectProps) {
  const t = usePageText();
  const [timeZone, choose] = useSetting('timeZone', onError);
  const ofBrowser = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), timeZone ?? 'UTC'])];
  return (
    <Select
      label={t('profile.timeZone')}
      placeholder={t('profile.zoneOfBrowser', { zone: ofBrowser })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('profile.clearZone') }}
      nothingFoundMessage={t('forms.nothingFound')}
      value={timeZone ?? null}
      data={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
      onChange={(zone) => choose(zone ?? '')}
    />
  );
}

/** Returns a setting, and a function that stores another one. An empty text returns to the browser's. */
function useSetting<Name extends keyof TimeSettings>(
  name: Name,
  onError: (error: unknown) => void,
) {
  const [stored, store] = usePreference(name, onError);
  const value: TimeSettings[Name] = readTimeSettings({ [name]: stored })[name];
  const choose = (chosen: number | string): void => {
    onError(null);
    store(chosen === '' ? undefined : chosen);
  };
  return [value, choose] as const;
}
