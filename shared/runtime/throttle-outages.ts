import type { LogFn, LoggerOptions } from 'pino';
import { Unavailable } from '../domain/errors.ts';

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const ONCE_IN_MS = 10_000;
const ERROR_LEVEL = 50;

/**
 * While a part is away, every loop and every request that needs it says so. Of such lines, those with an `err` that is
 * Unavailable, one in ten seconds and level is written, and counts in `leftOut` the ones before it that were not.
 * Errors are all written.
 */
export function throttleOutages(now: () => number = Date.now): LogMethod {
  const byLevel = new Map<number, { nextAt: number; leftOut: number }>();
  return function (args, method, level) {
    const [fields] = args as readonly unknown[];
    if (level >= ERROR_LEVEL || !tellsOfOutage(fields)) return method.apply(this, args);
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

function tellsOfOutage(fields: unknown): fields is object {
  return (
    typeof fields === 'object' &&
    fields !== null &&
    'err' in fields &&
    fields.err instanceof Unavailable
  );
}
