import { parseTime, useFormat } from '../language/format.ts';
import { useText } from '../language/language.tsx';

/** Shows an API time in the browser's time zone, and in UTC as a tooltip. */
export function Time({ value }: { readonly value: string }) {
  const t = useText();
  const format = useFormat();
  const time = parseTime(value);
  if (time === undefined) return value;
  const utc = time
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '');
  return (
    <time dateTime={time.toISOString()} title={t('parts.utc', { time: utc })}>
      {format.time(time)}
    </time>
  );
}
