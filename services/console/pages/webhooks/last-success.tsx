import { useQuery } from '@tanstack/react-query';
import { type Delivery, lastDeliveredQuery } from '../../api/webhooks.ts';
import { usePageText } from '../../language/page-text.ts';
import { Ago } from '../../parts/time.tsx';
import { lastSuccessIn } from './webhook-health.ts';

/** The time of the last successful delivery. Requests it only if it is not among the newest deliveries. */
export function LastSuccess(props: {
  readonly id: string;
  /** The newest deliveries; undefined while they are loading. */
  readonly recent: readonly Delivery[] | undefined;
}) {
  const t = usePageText();
  const { id, recent } = props;
  const known = recent && lastSuccessIn(recent);
  const isSearched = recent !== undefined && recent.length > 0 && known === undefined;
  const older = useQuery({ ...lastDeliveredQuery(id), enabled: isSearched });
  if (recent === undefined || (isSearched && older.data === undefined)) return null;
  const at = known ?? lastSuccessIn(older.data ?? []);
  return at === undefined ? t('webhooks.neverDelivered') : <Ago value={at} />;
}
