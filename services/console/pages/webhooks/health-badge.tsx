import { Badge } from '@mantine/core';
import { usePageText } from '../../language/page-text.ts';
import type { WebhookHealth } from './webhook-health.ts';

const colors = { active: 'green', failing: 'red', paused: 'gray' } as const;
const texts = {
  active: 'webhooks.active',
  failing: 'webhooks.failing',
  paused: 'webhooks.paused',
} as const;

export function HealthBadge({ health }: { readonly health: WebhookHealth }) {
  const t = usePageText();
  return <Badge color={colors[health]}>{t(texts[health])}</Badge>;
}
