import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../language/language.tsx';

/** Limits the announcements of a busy log, so that a screen reader can finish its output. */
const announceEveryMs = 10_000;

/** Announces the number of new events to screen readers, except while paused. */
export function Announcement(props: { readonly total: number; readonly isPaused: boolean }) {
  const t = useText();
  const latest = useRef(props);
  latest.current = props;
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    let announced = 0;
    const timer = setInterval(() => {
      const { total, isPaused } = latest.current;
      if (isPaused) return;
      // The filter has changed.
      if (total < announced) announced = 0;
      setAnnouncement(total === announced ? '' : t('log.came', { count: total - announced }));
      announced = total;
    }, announceEveryMs);
    return () => clearInterval(timer);
  }, [t]);
  return <VisuallyHidden role="status">{announcement}</VisuallyHidden>;
}
