import type { DeliveryState } from '../../api/webhooks.ts';
import { readText } from '../../parts/list/search-state.ts';

/** What the address says of a webhook's page. */
export interface WebhookState {
  readonly tab: 'deliveries' | 'overview' | 'replay' | 'verify' | undefined;
  /** Of the deliveries that are listed. */
  readonly state: DeliveryState | undefined;
  /** The one whose details are open. */
  readonly delivery: string | undefined;
  /** Whether the account of all events is shown. */
  readonly account: 'shown' | undefined;
}

export const deliveryStates = ['waiting', 'delivered', 'dead', 'dropped'] as const;
const tabs = ['overview', 'deliveries', 'replay', 'verify'] as const;

export const webhookReaders = {
  tab: (raw: unknown) => tabs.find((tab) => tab === raw),
  state: (raw: unknown) => deliveryStates.find((state) => state === raw),
  delivery: readText,
  account: (raw: unknown) => (raw === 'shown' ? ('shown' as const) : undefined),
};
