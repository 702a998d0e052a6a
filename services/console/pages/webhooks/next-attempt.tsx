import { Text } from '@mantine/core';
import type { Delivery } from '../../api/webhooks.ts';
import { parseTime } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { Countdown } from '../../parts/countdown.tsx';
import { usePeriod } from './use-period.ts';

/** The earliest time of the next attempt: the last attempt plus the dispatcher's retry period. */
export function NextAttempt({ delivery }: { readonly delivery: Delivery }) {
  const t = useText();
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
