import { counted } from '../../../shared/domain/counted.ts';
import { parseLogEntry, toFieldText } from './log-line.ts';

/** The reason and the progress that a service logs while it is not ready. Times are in milliseconds. */
export interface ServiceWait {
  /** Why the service is not ready, and the operator's remedy, if they are in the log. */
  readonly reason?: { readonly text: string; readonly since: number; readonly loggedAt: number };
  /** The progress of a rebuild of the read model; undefined if none is running. */
  readonly rebuild?: string;
}

/** Services repeat a reason every ten seconds while it applies. */
const REASON_LASTS_MS = 30_000;
const GIVE_UP_AFTER_MS = 120_000;
/** A service that reports no reason may be busy on a slow machine. */
const GIVE_UP_SILENT_AFTER_MS = 600_000;
/** This command needs the running Kafka and Postgres, which would stop together with this process. */
const operatorCommand = /annals topics accept/;

const WARN_LEVEL = 40;
const rebuildBegins = 'the read model is being rebuilt from the log';
const rebuildEnds = 'the read model is rebuilt';

/** Returns the wait as updated by a line of the log. */
export function updateWait(wait: ServiceWait, line: string, at: number): ServiceWait {
  const entry = parseLogEntry(line);
  if (entry === undefined) return wait;
  switch (entry['msg']) {
    case 'rebuilding': {
      const entries = counted(Number(entry['total']), 'entry');
      return { rebuild: `rebuilds the read model, ${entry['done']} of ${entries}` };
    }
    case rebuildBegins:
      return { rebuild: 'rebuilds the read model' };
    case rebuildEnds:
      return {};
    default: {
      const text = toReason(entry);
      if (text === undefined) return wait;
      const before = currentReason(wait, at);
      return { reason: { text, since: before?.since ?? at, loggedAt: at } };
    }
  }
}

function toReason(entry: Readonly<Record<string, unknown>>): string | undefined {
  const { level, err, reason, problem, remedy } = entry;
  const isWait = entry['msg'] === 'waiting for a part to become available';
  if (!isWait && Number(level) < WARN_LEVEL) return undefined;
  const why = reason ?? problem;
  if (typeof why === 'string') return toFieldText({ message: why, remedy });
  return err === undefined ? undefined : toFieldText(err);
}

function currentReason({ reason }: ServiceWait, at: number): ServiceWait['reason'] {
  return reason !== undefined && at - reason.loggedAt <= REASON_LASTS_MS ? reason : undefined;
}

/** Returns the reason or the progress, for the terminal. */
export function describeWait(wait: ServiceWait, at: number): string | undefined {
  return wait.rebuild ?? currentReason(wait, at)?.text;
}

/** Returns true if waiting any longer is pointless. A rebuild may take hours. */
export function isHopeless(
  wait: ServiceWait,
  { startedAt, at }: { readonly startedAt: number; readonly at: number },
): boolean {
  if (wait.rebuild !== undefined) return false;
  const reason = currentReason(wait, at);
  if (reason === undefined) return at - startedAt >= GIVE_UP_SILENT_AFTER_MS;
  return !operatorCommand.test(reason.text) && at - reason.since >= GIVE_UP_AFTER_MS;
}
