import { type ReceivedRequest, type Subscriber, startSubscriber } from '../receivers/subscriber.ts';
import {
  hasStandardSignature,
  signatureOf,
  xSignatureOf,
} from '../receivers/webhook-signatures.ts';

/** The API's response to the creation of a webhook. */
interface SignedWebhook {
  readonly id: string;
  readonly secretKey: string;
}

/** A server that accepts every webhook request, responds with 200 by default, and stores the requests. */
export interface Receiver extends Subscriber {
  readonly port: number;
  /** True if each signature of the request belongs to the webhook and is at most five minutes old. */
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
