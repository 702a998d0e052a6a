/** Returns what clocks of a time zone show, by default the browser's: `2030-01-31T10:00:00`. */
export function toLocalIso(time: Date, zone?: string): string {
  if (zone !== undefined) return clockIn(zone)(time);
  // getTimezoneOffset() returns whole minutes, but historic offsets have seconds.
  const day = [padded(time.getFullYear(), 4), padded(time.getMonth() + 1), padded(time.getDate())];
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return `${day.join('-')}T${clock.map((one) => padded(one)).join(':')}`;
}

/** Returns a function that returns what clocks of the time zone show. */
export function clockIn(zone: string): (time: Date) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  return (time) => {
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, value]),
    );
    const part = (name: string, length = 2): string => padded(Number(parts[name]), length);
    const day = [part('year', 4), part('month'), part('day')].join('-');
    return `${day}T${[part('hour'), part('minute'), part('second')].join(':')}`;
  };
}

function padded(part: number, length = 2): string {
  return String(part).padStart(length, '0');
}
