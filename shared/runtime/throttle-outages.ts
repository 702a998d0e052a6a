import type { LogFn, LoggerOptions } from 'pino';
import { Unavailable } from '../domain/errors.ts';

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const ONCE_IN_MS = 10_000;
const ERROR_LEVEL = 50;

/**
 * During an outage, every affected loop and request logs the outage. Of these lines (whose `err` is Unavailable), only
 * one per level is written every ten seconds, with the number of previously suppressed lines in `leftOut`. Errors are
 * always written.
 */
export function throttleOutages(now: () => number = Date.now): LogMethod {
  const byLevel = new Map<number, { nextAt: number; leftOut: number }>();
  return function (args, method, level) {
    const [fields] = args as readonly unknown[];
    if (level >= ERROR_LEVEL || !isOutage(fields)) return method.apply(this, args);
    const at = now();
    const known = byLevel.get(level) ?? { nextAt: at, leftOut: 0 };
    byLevel.set(level, known);
    if (at < known.nextAt) {
      known.leftOut += 1;
      return;
    }
    const { leftOut } = known;
    byLevel.set(level, { nextAt: at + ONCE_IN_MS, leftOut: 0 });
    const counted = leftOut === 0 ? fields : { ...fields, leftOut };
    method.apply(this, [counted, ...args.slice(1)] as Parameters<LogFn>);
  };
}

function isOutage(fields: unknown): fields is object {
  return (
    typeof fields === 'object' &&
    fields !== null &&
    'err' in fields &&
    fields.err instanceof Unavailable
  );
}
