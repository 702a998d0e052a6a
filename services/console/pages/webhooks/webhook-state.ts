import type { DeliveryState } from '../../api/webhooks.ts';
import { readText } from '../../parts/list/search-state.ts';

/** The state of a webhook's page, kept in its address. */
export interface WebhookState {
  readonly tab: 'deliveries' | 'overview' | 'replay' | 'verify' | undefined;
  /** State by which the deliveries are filtered. */
  readonly state: DeliveryState | undefined;
  /** The delivery whose details are open. */
  readonly delivery: string | undefined;
  /** Set if the ledger is shown. */
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
