import { createApiClient, recordIn } from '../../support/api-client.ts';
import { withPassword } from '../../support/credentials.ts';
import type { BenchContext } from '../bench.ts';
import type { Receiver } from '../delivery/start-receiver.ts';
import { type Cost, type Load, measureCost, measureTurns } from './measure-turns.ts';
import type { Subject } from './subject.ts';
import type { Version } from './versions.ts';

const CLIENTS = 64;
const MEASURED_MS = 4_000;

/**
 * Measures the dispatcher from the first of many creations to the receipt of the last one, per delivered
 * event; each version has one webhook, which receives every creation.
 */
export async function measureDelivery(
  context: BenchContext,
  { receiver, load }: { readonly receiver: Receiver; readonly load: Load },
  versions: readonly (Version & { readonly subject: Subject })[],
): Promise<ReadonlyMap<string, Cost>> {
  const measuredMs = context.isQuick ? 500 : MEASURED_MS;
  return measureTurns(context, 'delivery', versions, async ({ product, subject }) => {
    const admin = createApiClient(product.url, withPassword(product.access().admin));
    const webhook = { event: 'Contact.create', url: receiver.url };
    const { id } = recordIn(await admin.post('/Webhook', webhook));
    await receiver.reset();
    const read = () => ({ dispatcher: subject.readProcessorTime()['dispatcher'] ?? 0 });
    const cost = await measureCost(read, async () => {
      const { host, port } = subject;
      const requests = subject.requests.create ?? [];
      const spec = { host, port, requests, clients: CLIENTS, warmUpMs: 0, measuredMs };
      const { perSecond } = await load.send(spec);
      const events = Math.floor((perSecond * measuredMs) / 1000);
      return (await receiver.waitForEvents(events, () => {})).events;
    });
    await admin.delete(`/Webhook/${id}`);
    admin.close();
    return cost;
  });
}
