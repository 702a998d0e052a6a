import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../language/language.tsx';

/** Speech takes its time: a busy log would talk all over the page. */
const sayEveryMs = 10_000;

/** Tells who does not see the table how much came, now and then, and nothing in a pause. */
export function Announcement(props: { readonly total: number; readonly isPaused: boolean }) {
  const t = useText();
  const latest = useRef(props);
  latest.current = props;
  const [said, say] = useState('');
  useEffect(() => {
    let told = 0;
    const telling = setInterval(() => {
      const { total, isPaused } = latest.current;
      if (isPaused) return;
      // Of another filter.
      if (total < told) told = 0;
      say(total === told ? '' : t('log.came', { count: total - told }));
      told = total;
    }, sayEveryMs);
    return () => clearInterval(telling);
  }, [t]);
  return <VisuallyHidden role="status">{said}</VisuallyHidden>;
}
