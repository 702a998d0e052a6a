import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../api/session.ts';
import { settingsQuery } from '../../api/system.ts';
import type { Delivery } from '../../api/webhooks.ts';
import { parseTime } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { Countdown } from '../../parts/countdown.tsx';
import { retryAt } from './retry-at.ts';

/** When a batch that failed is tried again, at the earliest: as long after the last attempt as the dispatcher is told to wait. */
export function NextAttempt({ delivery }: { readonly delivery: Delivery }) {
  const t = useText();
  const { user } = useUser();
  const isRetried = delivery.state === 'waiting' && delivery.attempts > 0;
  const { data } = useQuery({ ...settingsQuery, enabled: isRetried && user.isAdmin });
  const settings = data?.processes.flatMap(({ told }) => told?.settings ?? []) ?? [];
  const period = settings.find(({ name }) => name === 'WEBHOOK_FAIL_ATTEMPT_PERIOD')?.value;
  const attemptedAt = parseTime(delivery.lastAttemptAt ?? '');
  if (!isRetried || !period || attemptedAt === undefined) return null;
  const until = retryAt(attemptedAt.getTime(), period);
  if (until === undefined) return null;
  return (
    <Text size="xs" c="dimmed" component="div">
      {until > Date.now() ? t('webhooks.nextAttempt') : t('webhooks.nextAttemptDue')}{' '}
      <Countdown until={until} />
    </Text>
  );
}
