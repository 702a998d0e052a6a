import {
  createRequestSender,
  type RequestSender,
  type SendResult,
} from '../../../services/dispatcher/deliver/request/send-request.ts';

/** A sender without observation of responses, which has its own test. */
export function createUnobservedSender(
  options: Parameters<typeof createRequestSender>[0],
): RequestSender {
  const sender = createRequestSender(options);
  return { ...sender, send: async (request) => withoutObserved(await sender.send(request)) };
}

function withoutObserved({ observed: _, ...result }: SendResult): SendResult {
  return result;
}
