import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { CommandContext } from '../context.ts';
import { tooLarge } from './plan-upload.ts';
import { requirePace } from './require-pace.ts';
import { requireQuota } from './require-quota.ts';
import { UploadPlaces } from './upload-places.ts';

/** Maximum number of concurrent large uploads. Reading an upload takes several times its size in memory. */
const LARGE_UPLOADS_AT_ONCE = 4;
/** Half of the request timeout. */
const PLACE_WITHIN_MS = 30_000;
const SMALL_BYTES = 1024 * 1024;

interface Limits {
  /** Maximum size of the body in bytes. */
  readonly bodyLimit: number;
  /** Maximum size of the file in the body. */
  readonly maxBytes: number;
}

interface Upload extends Limits {
  /** The limits of a body that is streamed instead of being read into memory. */
  readonly streamed?: Limits;
  /** Rejects users who may not upload anything. */
  readonly requireAllowed: (actor: Actor) => void;
}

/**
 * Returns the options of a route for uploads, and a function that returns the user of a request. Authenticates and
 * checks permissions before the body is read, then waits for a place if the body is large.
 */
export function createUploadOptions(
  context: CommandContext,
  { streamed, requireAllowed, ...whole }: Upload,
) {
  const limitsOf = (request: FastifyRequest): Limits =>
    (isMultipart(request) ? streamed : undefined) ?? whole;
  const actors = new WeakMap<FastifyRequest, Actor>();
  const paced = new WeakSet<FastifyRequest>();
  const places = new UploadPlaces({
    capacity: LARGE_UPLOADS_AT_ONCE,
    maxWaitMs: PLACE_WITHIN_MS,
  });
  const options = {
    bodyLimit: whole.bodyLimit,
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      const actor = await context.authenticate(request);
      actors.set(request, actor);
      requireAllowed(actor);
      // NaN without the header.
      const length = Number(request.headers['content-length']);
      // Fastify would close the connection, perhaps before the client has read the reason.
      const { bodyLimit, maxBytes } = limitsOf(request);
      if (length > bodyLimit) throw tooLarge(maxBytes);
      if (length <= SMALL_BYTES) return requireQuota(actor.id, context);
      const release = await places.take(actor.id);
      paced.add(request);
      if (reply.raw.closed) release();
      else reply.raw.once('close', release);
      // After the wait, during which other uploads of the user may have been stored.
      await requireQuota(actor.id, context);
    },
    async preParsing(request: FastifyRequest, _reply: FastifyReply, body: RequestPayload) {
      // A multipart body is read by its handler, whose errors must not end the connection before the response.
      return paced.has(request) || isMultipart(request) ? requirePace(body) : body;
    },
  };
  const authenticate = async (request: FastifyRequest) =>
    actors.get(request) ?? context.authenticate(request);
  return { options, authenticate };
}

function isMultipart({ headers }: FastifyRequest): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}
