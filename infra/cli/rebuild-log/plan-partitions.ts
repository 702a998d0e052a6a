import type { ClientBase } from 'pg';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { type Epoch, orderEpochs } from './order-epochs.ts';
import { workSchema } from './work-schema.ts';

/** How a partition is written so that it ends exactly where Postgres stands. */
export interface PartitionPlan {
  readonly topic: string;
  readonly partition: number;
  readonly epochs: readonly Epoch[];
  /** The token that Postgres stands at; null in a partition that never had a writer. */
  readonly lastToken: string | null;
  /**
   * Fences before the first epoch, in the place of entries that did not count. With them the partition ends at the same
   * offset as the lost one, and what clients hold as X-Consistency-Token stays true.
   */
  readonly filling: number;
  /** The offset of the first entry; not 0 in a partition that is written again behind its old entries. */
  readonly first: bigint;
}

/** The offset behind an event as the plan writes it; undefined if the plan does not have the event. */
export function offsetAfter(
  { epochs, filling, first, lastToken }: PartitionPlan,
  { token, sequence }: Pick<ProjectedPosition, 'token' | 'sequence'>,
): bigint | undefined {
  if (token === null) return first;
  let offset = first + BigInt(filling);
  for (const epoch of epochs) {
    offset += 1n;
    if (epoch.token === token)
      return sequence <= epoch.events ? offset + BigInt(sequence) : undefined;
    offset += BigInt(epoch.events);
  }
  return token === lastToken && sequence === 0 ? offset + 1n : undefined;
}

export function countEvents({ epochs }: PartitionPlan): number {
  return epochs.reduce((sum, { events }) => sum + events, 0);
}

/** How many entries the plan writes. */
export function countEntries(plan: PartitionPlan): number {
  const { epochs, filling, lastToken } = plan;
  const isLastEmpty = lastToken !== null && epochs.every(({ token }) => token !== lastToken);
  return countEvents(plan) + epochs.length + filling + Number(isLastEmpty);
}

/** Throws OperatorError if the history has gaps, or leaves no order. */
export async function planPartitions(
  client: ClientBase,
  positions: readonly ProjectedPosition[],
): Promise<readonly PartitionPlan[]> {
  await requireKnownPlaces(client, positions);
  const plans: PartitionPlan[] = [];
  for (const position of positions) plans.push(await planPartition(client, position));
  return plans;
}

async function planPartition(
  client: ClientBase,
  { topic, partition, token, sequence, offset }: ProjectedPosition,
): Promise<PartitionPlan> {
  const place = `${topic}/${partition}`;
  const epochs = await loadEpochs(client, { topic, partition });
  const last = epochs.find((epoch) => epoch.token === token);
  if ((last?.events ?? 0) !== sequence) {
    throw damaged(place, `has ${last?.events ?? 0} of the last ${sequence} events`);
  }
  const ordered = orderEpochs(epochs, await loadPrecedences(client, { topic, partition }), token);
  if (ordered === undefined) throw damaged(place, 'leaves no order of its writers');
  const events = epochs.reduce((sum, epoch) => sum + epoch.events, 0);
  const fences = epochs.length + Number(token !== null && last === undefined);
  const filling = Number(offset) - events - fences;
  if (filling < 0) throw damaged(place, 'has more events than the log had');
  return { topic, partition, epochs: ordered, lastToken: token, filling, first: 0n };
}

type Place = Pick<ProjectedPosition, 'topic' | 'partition'>;

/** Throws if an event is missing between others of the same writer. */
async function loadEpochs(
  client: ClientBase,
  { topic, partition }: Place,
): Promise<readonly Epoch[]> {
  const { rows } = await client.query<{
    token: string;
    begun_at: string;
    events: string;
    highest: string;
    numbers: string;
  }>(
    `select token, min(at) as begun_at, count(*) as events, max(sequence) as highest,
       count(distinct sequence) as numbers
     from ${workSchema}.entries where topic = $1 and partition = $2 group by token`,
    [topic, partition],
  );
  return rows.map(({ token, begun_at: begunAt, events, highest, numbers }) => {
    if (events !== highest || events !== numbers)
      throw damaged(`${topic}/${partition}`, `has ${numbers} of ${highest} events of one writer`);
    return { token, begunAt: Number(begunAt), events: Number(events) };
  });
}

async function loadPrecedences(client: ClientBase, { topic, partition }: Place) {
  const { rows } = await client.query<{ before: string; after: string }>(
    `select distinct earlier.token as before, later.token as after
     from ${workSchema}.entries earlier join ${workSchema}.entries later
       on later.record_id = earlier.record_id and later.entity_type = earlier.entity_type
       and later.version = earlier.version + 1 and later.token <> earlier.token
     where earlier.topic = $1 and earlier.partition = $2`,
    [topic, partition],
  );
  return rows;
}

async function requireKnownPlaces(
  client: ClientBase,
  positions: readonly ProjectedPosition[],
): Promise<void> {
  const known = new Set(positions.map(({ topic, partition }) => `${topic}/${partition}`));
  const { rows } = await client.query<Place>(
    `select distinct topic, partition from ${workSchema}.entries`,
  );
  const unknown = rows.find(({ topic, partition }) => !known.has(`${topic}/${partition}`));
  if (unknown !== undefined)
    throw damaged(`${unknown.topic}/${unknown.partition}`, 'has events and no position');
}

const damaged = (place: string, what: string): OperatorError =>
  new OperatorError(
    `The history in Postgres ${what} for ${place}: the log cannot be written from it. Restore a backup of Postgres, or of Kafka.`,
  );
