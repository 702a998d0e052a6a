import { type DestinationStream, type Logger, pino } from 'pino';
import { throttleOutages } from './throttle-outages.ts';
import { currentTrace, traceFields } from './trace.ts';

/** Names of headers and attributes that contain credentials. */
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

/**
 * Logs JSON lines to stdout. Writes asynchronously, because a log line per request must not cost a system call per
 * request.
 */
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
      // Adds the trace to every line that is logged during a request.
      mixin: () => traceFields(currentTrace()),
      hooks: { logMethod: throttleOutages() },
      redact: {
        // Paths at the top level, one level down (a body), and two levels down (`req.headers`).
        paths: credentialNames.flatMap((name) => ['', '*', '*.*'].map((at) => `${at}["${name}"]`)),
        censor,
      },
    },
    destination,
  );
}

/**
 * Returns the same log for lines that are written per request and have no nested objects. It redacts only the line's
 * own fields: searching every value for nested values to redact would cost pino 20 µs per line.
 */
export function flatLines(log: Logger): Logger {
  const paths = credentialNames.map((name) => `["${name}"]`);
  return log.child({}, { redact: { paths, censor } });
}
