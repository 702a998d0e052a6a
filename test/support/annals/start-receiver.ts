import { type ReceivedRequest, type Subscriber, startSubscriber } from '../receivers/subscriber.ts';
import {
  hasStandardSignature,
  signatureOf,
  xSignatureOf,
} from '../receivers/webhook-signatures.ts';

/** What the API answered when the webhook was made. */
interface SignedWebhook {
  readonly id: string;
  readonly secretKey: string;
}

/** A server that takes every webhook request, answers 200 unless told otherwise, and keeps what came. */
export interface Receiver extends Subscriber {
  readonly port: number;
  /** Whether each of the signatures of a request is that of the webhook, and not older than five minutes. */
  isSignedBy(request: ReceivedRequest, webhook: SignedWebhook): boolean;
}

export async function startReceiver(
  options: Parameters<typeof startSubscriber>[0],
): Promise<Receiver> {
  const subscriber = await startSubscriber(options);
  return {
    ...subscriber,
    port: Number(new URL(subscriber.url('/')).port),
    isSignedBy(request, webhook) {
      const { headers } = request;
      return (
        headers['x-signature'] === xSignatureOf(request, webhook.secretKey) &&
        headers['signature'] === signatureOf(request, webhook) &&
        hasStandardSignature(request, webhook.secretKey)
      );
    },
  };
}
