import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { parseTime, useFormat } from '../language/format.ts';

interface Props {
  /** An API time. */
  readonly value: string;
}

/** Shows a time in the user's time zone, with the exact time as a tooltip. */
export function Time({ value, hasSeconds = false }: Props & { readonly hasSeconds?: boolean }) {
  const format = useFormat();
  const time = parseTime(value);
  if (time === undefined) return value;
  return (
    <time dateTime={time.toISOString()} title={format.exactTime(time)}>
      {hasSeconds ? format.timeWithSeconds(time) : format.time(time)}
    </time>
  );
}

const MINUTE_MS = 60_000;

/** Returns the current time, and renders the component again every minute. */
export function useNow(): Date {
  // One query for all components on the page, so that they change together.
  const { data = Date.now() } = useQuery({
    queryKey: ['minute'],
    queryFn: () => Date.now(),
    refetchInterval: MINUTE_MS,
    staleTime: MINUTE_MS,
  });
  return new Date(data);
}

/** Shows a time and, if it is recent, how long ago it was. */
export function TimeAndAge({ value }: Props) {
  const format = useFormat();
  const now = useNow();
  const time = parseTime(value);
  if (time === undefined) return value;
  const isRecent = format.age(time, now) !== format.time(time);
  return (
    <>
      <Time value={value} />
      {isRecent ? (
        <Text span inherit c="dimmed">
          {' · '}
          <Ago value={value} />
        </Text>
      ) : null}
    </>
  );
}

/** Shows how long ago something happened, with the exact time as a tooltip. */
export function Ago({ value }: Props) {
  const format = useFormat();
  const now = useNow();
  const time = parseTime(value);
  if (time === undefined) return value;
  // The time may be later than `now`, which is up to a minute old.
  const present = new Date(Math.max(now.getTime(), Math.min(time.getTime(), Date.now())));
  return (
    <time dateTime={time.toISOString()} title={format.exactTime(time)}>
      {format.age(time, present)}
    </time>
  );
}
