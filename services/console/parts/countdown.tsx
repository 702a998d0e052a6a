import { useEffect, useState } from 'react';
import { useFormat } from '../language/format.ts';

const tickMs = 1_000;

/** Counts down to a Unix time in milliseconds, and shows nothing afterwards. Not announced to screen readers because it changes every second. */
export function Countdown({ until }: { readonly until: number }) {
  const format = useFormat();
  const [now, setNow] = useState(() => Date.now());
  const isPast = until <= now;
  useEffect(() => {
    if (isPast) return;
    const ticking = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(ticking);
  }, [isPast]);
  if (isPast) return null;
  const seconds = Math.ceil((until - now) / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return (
    <span role="timer" aria-live="off">
      {minutes > 0 ? `${format.duration(minutes * 60)} ` : null}
      {format.duration(rest)}
    </span>
  );
}
