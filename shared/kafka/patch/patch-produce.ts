import { requests } from 'kafkajs/src/protocol/requests/index.js';
import { encodeProduce } from './encode-produce.ts';

/** The first version of the request with record batches of format 2, which `encodeProduce` writes. */
const FIRST_VERSION = 3;
const patched = new WeakSet<object>();

/**
 * kafkajs 2.2.4 builds a produce request from encoders that grow by doubling and are copied into each other seven
 * times, and computes the CRC-32C byte by byte: 12 to 18 µs of CPU time for 2 KB, two thirds of the dispatcher's time
 * per event. Encoding into one buffer, with the processor's CRC instruction, takes a tenth of that. kafkajs still
 * encodes compressed requests.
 */
export function patchProduce(): void {
  const { Produce } = requests;
  if (patched.has(Produce)) return;
  const fast: typeof Produce = {
    ...Produce,
    protocol({ version }) {
      const createRequest = Produce.protocol({ version });
      if (version < FIRST_VERSION) return createRequest;
      return (content) => {
        const original = createRequest(content);
        if ((content.compression ?? 0) !== 0) return original;
        return {
          ...original,
          request: { ...original.request, encode: async () => encodeProduce(content) },
        };
      };
    },
  };
  patched.add(fast);
  requests.Produce = fast;
}
