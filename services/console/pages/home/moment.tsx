import { useFormat } from '../../language/format.ts';
import { Time } from '../../parts/time.tsx';

/** A time, or a whole day if the value has one. */
export function Moment(props: {
  readonly time: string | null | undefined;
  readonly day: string | null | undefined;
}) {
  const format = useFormat();
  if (props.day) return format.day(props.day);
  return props.time ? <Time value={props.time} /> : '';
}
