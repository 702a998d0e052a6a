import { type DestinationStream, type Logger, pino } from 'pino';
import { throttleOutages } from './throttle-outages.ts';
import { currentTrace } from './trace.ts';

/** Credentials by the names under which headers and records carry them. */
const credentialNames = [
  'authorization',
  'x-api-key',
  'x-hmac-authorization',
  'espo-authorization',
  'password',
  'apiKey',
  'secretKey',
  'passwordHash',
] as const;

const censor = '[redacted]';

/** JSON lines on stdout. Written asynchronously: one line per request must not cost a system call per request. */
export function createLogger(options: {
  readonly service: string;
  readonly level: string;
  readonly destination?: DestinationStream;
}): Logger {
  const { service, level, destination = pino.destination({ dest: 1, sync: false }) } = options;
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceFields,
      hooks: { logMethod: throttleOutages() },
      redact: {
        // As a variable of its own, one level down (a body), and two (`req.headers`).
        paths: credentialNames.flatMap((name) => ['', '*', '*.*'].map((at) => `${at}["${name}"]`)),
        censor,
      },
    },
    destination,
  );
}

/**
 * The same log for lines that are written per request and hold no objects: pino looks into every value of a line, texts
 * and numbers too, for what to redact below it, which costs 20 µs a line. Only what stands in the line itself is redacted.
 */
export function flatLines(log: Logger): Logger {
  const paths = credentialNames.map((name) => `["${name}"]`);
  return log.child({}, { redact: { paths, censor } });
}

/** Whatever a request makes somebody log can be found by its trace. */
function traceFields(): object {
  const trace = currentTrace();
  return trace === undefined ? {} : { traceId: trace.traceId, spanId: trace.spanId };
}
