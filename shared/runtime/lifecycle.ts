import type { Logger } from 'pino';

type Close = () => unknown;

export interface Lifecycle {
  /** Registers something that `stop` closes. */
  opened(name: string, close: Close): void;
  /** Closes everything exactly once, newest first; later calls wait for the first. Never rejects. */
  stop(reason: string): Promise<void>;
  isStopping(): boolean;
}

/** A failure to close sets the exit code to 1. After `graceMs` the process exits with code 1. */
export function createLifecycle(log: Logger, graceMs: number): Lifecycle {
  const opened: { readonly name: string; readonly close: Close }[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(reason: string): Promise<void> {
    log.info({ reason }, 'stopping');
    const deadline = setTimeout(() => {
      log.fatal({ graceMs }, 'did not stop in time');
      process.exit(1);
    }, graceMs);
    deadline.unref();

    for (const { name, close } of opened.toReversed()) {
      try {
        await close();
      } catch (err) {
        log.error({ err, name }, 'failed to close');
        process.exitCode = 1;
      }
    }
    clearTimeout(deadline);
    log.info('stopped');
  }

  return {
    opened(name, close) {
      opened.push({ name, close });
    },
    async stop(reason) {
      closing ??= closeAll(reason);
      return closing;
    },
    isStopping: () => closing !== undefined,
  };
}
