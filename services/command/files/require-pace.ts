import { PassThrough, type Readable } from 'node:stream';
import { Refusal } from '../../../shared/domain/errors.ts';

/** Far below the upload rate of a phone. */
const MIN_BYTES_PER_SECOND = 16 * 1024;
const WINDOW_MS = 5_000;

/**
 * Returns the body of an upload. The stream fails with a refusal if the body arrives too slowly, because a slow sender
 * would occupy memory and an upload place.
 */
export function requirePace(body: Readable, windowMs = WINDOW_MS): Readable {
  const paced = new PassThrough();
  let received = 0;
  body.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  body.once('error', (error) => paced.destroy(error));
  body.once('close', () => {
    // The client has disconnected.
    if (!body.readableEnded) paced.destroy();
  });
  body.pipe(paced);
  const minBytes = (MIN_BYTES_PER_SECOND * windowMs) / 1_000;
  const checkRate = (): void => {
    if (received < minBytes && !body.readableEnded) {
      body.unpipe(paced);
      paced.destroy(tooSlow());
    }
    received = 0;
  };
  // setImmediate lets the event loop first read the bytes that arrived while it was busy.
  const timer = setInterval(() => setImmediate(checkRate), windowMs);
  const stop = () => clearInterval(timer);
  body.once('end', stop);
  paced.once('close', stop);
  return paced;
}

function tooSlow(): Refusal {
  const message = `The file arrives too slowly. Send at least ${MIN_BYTES_PER_SECOND} bytes per second.`;
  return new Refusal('too_slow', 'request.too_slow', message);
}
