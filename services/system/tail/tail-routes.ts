import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isWanted } from '../../../shared/events/event-filter.ts';
import { text } from '../../../shared/http/describe/schemas.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import type { SystemContext } from '../context.ts';
import { toEventBody } from './event-body.ts';
import { filterParameters, readFilter } from './event-filter.ts';
import type { LiveEvent } from './live-events.ts';

type Query = Readonly<Record<string, unknown>>;

/** The maximum number of streams per process, because each uses a connection and memory. */
const MAX_STREAMS = 50;
/** Below typical proxy idle timeouts, and short enough to notice revoked permissions. */
const BEAT_MS = 10_000;
/** A reader that falls further behind is disconnected, and continues with current events when it reconnects. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * `GET System/events`: new events of records, as server-sent events. A stream ends when the process stops or when the
 * reader loses the permission.
 */
export function registerTailRoutes(server: FastifyInstance, context: SystemContext): void {
  const { live, directory } = context;
  const open = new Set<PassThrough>();
  const toMessage = createToMessage(directory);

  server.get<{ Querystring: Query }>('/api/v1/System/events', following, async (request, reply) => {
    await readOperator(context, request);
    const filter = readFilter(request.query);
    if (open.size >= MAX_STREAMS) {
      const message = `${MAX_STREAMS} streams are already open in this process: close one, or try again later.`;
      throw new Refusal('too_many_requests', 'stream.limited', message, { retryAfterSeconds: 10 });
    }
    const stream = new PassThrough();
    const unsubscribe = live.subscribe({
      onEnd: () => stream.end(),
      onEvent: (found) => {
        if (!isWanted(filter, found.event)) return;
        if (stream.writableLength > MOST_WAITING_BYTES) stream.end();
        else if (stream.writable) stream.write(toMessage(found));
      },
    });
    const beat = setInterval(() => {
      void context.authenticate(request).then(
        (actor) => (actor.type === 'admin' ? stream.write(':\n\n') : stream.end()),
        () => stream.end(),
      );
    }, BEAT_MS);
    open.add(stream);
    stream.once('close', () => {
      clearInterval(beat);
      unsubscribe();
      open.delete(stream);
    });
    stream.write(':\n\n');
    // Responds only once the stream is certain to contain every later event.
    await live.begun();
    return reply.header('content-type', 'text/event-stream').send(stream);
  });
}

/** Encodes each event once and shares the bytes among all streams: an event can be several megabytes. */
function createToMessage(directory: Directory): (live: LiveEvent) => Buffer {
  const known = new WeakMap<LiveEvent, Buffer>();
  return (live) => {
    const message = known.get(live) ?? Buffer.from(toText(live, directory));
    known.set(live, message);
    return message;
  };
}

/** The data is always a single line, because JSON.stringify escapes line breaks. */
function toText({ place, event }: LiveEvent, directory: Directory): string {
  const data = { place, ...toEventBody(event, directory) };
  return `id: ${place}\ndata: ${JSON.stringify(data)}\n\n`;
}

const following = describeSystemRoute({
  id: 'System_events',
  summary: 'Follow new events of records',
  description:
    'Server-sent events, one for each change, whose data is `{"place", "at", "entityType", "id", "version", "type", "byId", "byName", "changes"}`, and `administratorId` and `administratorName` if an administrator acted as another user. For administrators. The stream begins with current events; `System/pastEvents` returns earlier ones.',
  parameters: filterParameters,
  answer: {},
  errors: ['parameter.invalid', 'stream.limited'],
  more: { 200: { description: 'The stream.', content: { 'text/event-stream': { schema: text } } } },
});
