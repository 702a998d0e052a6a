import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useUser } from '../../../api/session.ts';
import { settingsQuery } from '../../../api/system.ts';
import type { Delivery } from '../../../api/webhooks.ts';
import { parseTime, useFormat } from '../../../language/format.ts';
import { usePageText } from '../../../language/page-text.ts';
import { readPeriod } from './read-period.ts';

/** The earliest time of the next attempt: the last attempt plus the dispatcher's retry period. */
export function NextAttempt({ delivery }: { readonly delivery: Delivery }) {
  const t = usePageText();
  const isRetried = delivery.state === 'waiting' && delivery.attempts > 0;
  const periodMs = usePeriod('WEBHOOK_FAIL_ATTEMPT_PERIOD', isRetried);
  const attemptedAt = parseTime(delivery.lastAttemptAt ?? '');
  if (!isRetried || periodMs === undefined || attemptedAt === undefined) return null;
  const until = attemptedAt.getTime() + periodMs;
  return (
    <Text size="xs" c="dimmed" component="div">
      {until > Date.now() ? t('webhooks.nextAttempt') : t('webhooks.nextAttemptDue')}{' '}
      <Countdown until={until} />
    </Text>
  );
}

/** Returns a period setting of the running processes in milliseconds; undefined without permission or while no process responds. */
export function usePeriod(name: string, isWanted = true): number | undefined {
  const { user } = useUser();
  const { data } = useQuery({ ...settingsQuery, enabled: isWanted && user.isAdmin });
  const settings = data?.processes.flatMap(({ told }) => told?.settings ?? []) ?? [];
  return readPeriod(settings.find((setting) => setting.name === name)?.value ?? '');
}

const tickMs = 1_000;

/** Counts down to a Unix time in milliseconds, and shows nothing afterwards. Not announced to screen readers because it changes every second. */
function Countdown({ until }: { readonly until: number }) {
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
