import { PassThrough, type Readable } from 'node:stream';
import { Refusal } from '../../../shared/domain/errors.ts';

/** Far below what a phone sends. */
const LEAST_BYTES_PER_SECOND = 16 * 1024;
const WINDOW_MS = 5_000;

/**
 * The body of an upload, which fails with a refusal when less than the least rate arrives: a slow sender must not keep
 * memory and a place from others.
 */
export function requirePace(body: Readable, windowMs = WINDOW_MS): Readable {
  const paced = new PassThrough();
  let received = 0;
  body.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  body.once('error', (error) => paced.destroy(error));
  body.once('close', () => {
    // The client has gone.
    if (!body.readableEnded) paced.destroy();
  });
  body.pipe(paced);
  const least = (LEAST_BYTES_PER_SECOND * windowMs) / 1_000;
  const judge = (): void => {
    if (received < least && !body.readableEnded) {
      body.unpipe(paced);
      paced.destroy(tooSlow());
    }
    received = 0;
  };
  // After the event loop has read what arrived while it was busy with something else.
  const timer = setInterval(() => setImmediate(judge), windowMs);
  const stop = () => clearInterval(timer);
  body.once('end', stop);
  paced.once('close', stop);
  return paced;
}

function tooSlow(): Refusal {
  const message = `The file arrives too slowly: send at least ${LEAST_BYTES_PER_SECOND} bytes per second.`;
  return new Refusal('too_slow', 'request.too_slow', message);
}
