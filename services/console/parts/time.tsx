import { parseTime, useFormat } from '../language/format.ts';
import { useText } from '../language/language.tsx';

/** A time of the API where the user is; hovering shows it in UTC. */
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
    <time dateTime={time.toISOString()} title={t('shell.utc', { time: utc })}>
      {format.time(time)}
    </time>
  );
}
