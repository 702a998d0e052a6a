import { Badge } from '@mantine/core';
import { useText } from '../language/language.tsx';
import { useTimeSettings } from '../language/time-settings.ts';
import { isOverdue } from './due.ts';
import { useNow } from './time.tsx';

/** Marks what is overdue, by the times of a task. */
export function OverdueBadge({ due }: { readonly due: Readonly<Record<string, unknown>> }) {
  const t = useText();
  const { timeZone } = useTimeSettings();
  if (!isOverdue(due, useNow(), timeZone)) return null;
  return (
    <Badge size="xs" color="red" variant="light" mr={4}>
      {t('home.overdue')}
    </Badge>
  );
}
