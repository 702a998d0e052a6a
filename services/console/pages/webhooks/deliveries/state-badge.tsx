import { Badge } from '@mantine/core';
import { usePageText } from '../../../language/page-text.ts';

const colors = {
  waiting: 'blue',
  retry: 'yellow',
  delivered: 'green',
  dead: 'red',
  dropped: 'gray',
} as const;

const texts = {
  waiting: 'webhooks.stateWaiting',
  retry: 'webhooks.stateRetry',
  delivered: 'webhooks.stateDelivered',
  dead: 'webhooks.stateDead',
  dropped: 'webhooks.stateDropped',
} as const;

/** Shows the state of a batch or attempt by colour and text. */
export function StateBadge({ state }: { readonly state: keyof typeof texts }) {
  const t = usePageText();
  return <Badge color={colors[state]}>{t(texts[state])}</Badge>;
}

/** Chart colours of the outcomes of batches and events. */
export const stateColors = {
  delivered: 'var(--mantine-color-green-7)',
  dead: 'var(--mantine-color-red-7)',
  dropped: 'var(--mantine-color-gray-6)',
  waiting: 'var(--mantine-color-blue-6)',
} as const;
