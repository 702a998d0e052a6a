import type { BenchContext } from '../bench.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import { median, rounded } from '../median.ts';
import type { Program } from '../start-program.ts';
import type { Kind, ProcessorTime, Subject } from './subject.ts';

/** Microseconds of processor time of one request or event, by process; `together` is their sum. */
export type Cost = Readonly<Record<string, number>>;

export type Load = Program<LoadSpec, LoadFigures>;

export interface Infrastructure {
  /** Reads the processor time of Kafka and Postgres. */
  readProcessorTime(): ProcessorTime;
}

const CLIENTS = 64;
const TURNS = 5;
const MEASURED_MS = 4_000;

/** Measures all subjects in turns, so that temporary slowness of the machine affects each; returns medians. */
export async function measureTurns<Subject extends { readonly name: string }>(
  { isQuick, report }: BenchContext,
  what: string,
  subjects: readonly Subject[],
  measure: (subject: Subject) => Promise<Cost>,
): Promise<ReadonlyMap<string, Cost>> {
  const costs = new Map<string, Cost[]>(subjects.map(({ name }) => [name, []]));
  for (let turn = 1; turn <= (isQuick ? 1 : TURNS); turn++) {
    for (const subject of subjects) {
      const cost = await measure(subject);
      report(`${what} ${turn}, ${subject.name}: ${JSON.stringify(cost)}`);
      costs.get(subject.name)?.push(cost);
    }
  }
  return new Map([...costs].map(([name, all]) => [name, medianCost(all)]));
}

/** Measures requests of this kind to all subjects. */
export function measureRequests(
  context: BenchContext,
  { load, infrastructure }: { readonly load: Load; readonly infrastructure: Infrastructure },
  kind: Kind,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<string, Cost>> {
  return measureTurns(context, kind, subjects, (subject) => {
    const read = () => ({ ...subject.readProcessorTime(), ...infrastructure.readProcessorTime() });
    return measureCost(read, () => sendRequests(context, load, kind, subject));
  });
}

/** Returns the processor time that the work takes, divided by the number that the work returns. */
export async function measureCost(
  read: () => ProcessorTime,
  work: () => Promise<number>,
): Promise<Cost> {
  const before = read();
  const count = await work();
  const after = read();
  const cost = Object.entries(after).map(
    ([name, ms]) => [name, rounded((1000 * (ms - (before[name] ?? 0))) / count, 1)] as const,
  );
  const together = cost.reduce((sum, [, us]) => sum + us, 0);
  return { ...Object.fromEntries(cost), together: rounded(together, 1) };
}

/** Returns the median of each process. */
function medianCost(costs: readonly Cost[]): Cost {
  const names = Object.keys(costs[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, rounded(median(costs.map((cost) => cost[name] ?? 0)), 1)]),
  );
}

/** Sends requests for a few seconds and returns how many got a response. */
async function sendRequests(
  context: BenchContext,
  load: Load,
  kind: Kind,
  { host, port, requests }: Subject,
): Promise<number> {
  const measuredMs = context.isQuick ? 500 : MEASURED_MS;
  const spec = { host, port, requests: requests[kind] ?? [], clients: CLIENTS, warmUpMs: 0 };
  const { perSecond } = await load.send({ ...spec, measuredMs });
  return (perSecond * measuredMs) / 1000;
}
