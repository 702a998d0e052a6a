import type { ClientBase } from 'pg';
import { loadPositions, type ProjectedPosition } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { countProgress } from '../progress.ts';
import { indexHistory, untraceable } from './index-history.ts';
import { type Epoch, orderEpochs } from './order-epochs.ts';
import { type Run, workSchema } from './work-schema.ts';

/** The plan for writing a partition so that it ends exactly at the position in Postgres. */
export interface PartitionPlan {
  readonly topic: string;
  readonly partition: number;
  readonly epochs: readonly Epoch[];
  /** The token of the position in Postgres; null if the partition never had a writer. */
  readonly lastToken: string | null;
  /**
   * The number of fences before the first epoch, in place of invalid entries. With these fences, the partition ends at
   * the same offset as the lost partition did, so clients' consistency tokens remain valid.
   */
  readonly filling: number;
  /** The offset of the first entry. Above 0 if the partition is rewritten after its old entries. */
  readonly first: bigint;
}

/** Returns the offset after an event in the planned partition; undefined if the plan does not include the event. */
export function offsetAfter(
  { epochs, filling, first, lastToken }: PartitionPlan,
  { token, sequence }: { readonly token: string | null; readonly sequence: number },
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

/** Returns true if the positions are the same, so that no projector stored anything between the two reads. */
export function areSame(
  before: readonly ProjectedPosition[],
  after: readonly ProjectedPosition[],
): boolean {
  return after.every(({ topic, partition, offset }) =>
    before.some(
      (one) => one.topic === topic && one.partition === partition && one.offset === offset,
    ),
  );
}

/** Returns the number of entries that the plan writes. */
export function countEntries(plan: PartitionPlan): number {
  const { epochs, filling, lastToken } = plan;
  const isLastEmpty = lastToken !== null && epochs.every(({ token }) => token !== lastToken);
  return countEvents(plan) + epochs.length + filling + Number(isLastEmpty);
}

/**
 * Indexes the history. `isSettled` is false if a projector stored more in the meantime. A plan is then only an
 * estimate, and must be made again once the services have stopped.
 */
export async function readHistory(
  { client, installation, progress }: Run,
  recordPartitions: number,
  without: ReadonlySet<string>,
) {
  const before = await loadPositions(client);
  const { rows } = await client.query<{ total: string }>(
    `select count(*) as total from ${liveSchema}.record_history`,
  );
  const shown = progress('Reading the history');
  const entityTypes = await countProgress(shown, Number(rows[0]?.total), (onProgress) =>
    indexHistory(client, installation.topics, { recordPartitions, without, onProgress }),
  );
  const positions = await loadPositions(client);
  return { entityTypes, positions, isSettled: areSame(before, positions) };
}

/**
 * Throws OperatorError if no order is consistent with the history, or if more events are missing from it than
 * `explained`, the number of missing events of excluded records. Infinity allows any number.
 */
export async function planPartitions(
  client: ClientBase,
  positions: readonly ProjectedPosition[],
  explained: number,
): Promise<readonly PartitionPlan[]> {
  await requireKnownPlaces(client, positions);
  const plans: PartitionPlan[] = [];
  let missing = 0;
  for (const position of positions) {
    const { missing: missingHere, ...plan } = await planPartition(client, position);
    plans.push(plan);
    missing += missingHere;
  }
  if (missing > explained) {
    throw new OperatorError(
      `The history in Postgres lacks ${counted(missing - explained, 'event')} of unknown records. Restore a backup of Postgres or of Kafka, or exclude them: --without ${untraceable}.`,
    );
  }
  return plans;
}

async function planPartition(client: ClientBase, position: ProjectedPosition) {
  const { topic, partition, token, sequence, offset } = position;
  const place = `${topic}/${partition}`;
  const epochs = await loadEpochs(client, position);
  if (epochs.some(({ entries, numbers }) => entries !== numbers))
    throw damaged(place, 'has two events in the same place');
  const last = epochs.find((epoch) => epoch.token === token);
  if ((last?.highest ?? 0) > sequence) throw damaged(place, 'has more events than the log had');
  const ordered = orderEpochs(epochs, await loadPrecedences(client, position), token);
  if (ordered === undefined) throw damaged(place, 'does not determine the order of its writers');
  const events = epochs.reduce((sum, epoch) => sum + epoch.events, 0);
  const fences = epochs.length + Number(token !== null && last === undefined);
  const filling = Number(offset) - events - fences;
  if (filling < 0) throw damaged(place, 'has more events than the log had');
  const missing =
    sequence -
    (last?.highest ?? 0) +
    epochs.reduce((sum, { highest, numbers }) => sum + highest - numbers, 0);
  return { topic, partition, epochs: ordered, lastToken: token, filling, first: 0n, missing };
}

interface FoundEpoch extends Epoch {
  /** The highest sequence number, and the count of numbers. If the count is lower, events are missing. */
  readonly highest: number;
  readonly numbers: number;
  readonly entries: number;
}

async function loadEpochs(client: ClientBase, { topic, partition }: ProjectedPosition) {
  const { rows } = await client.query<FoundEpoch>(
    `select token, min(at)::float8 as "begunAt", (count(*) filter (where not left_out))::int as events,
       count(*)::int as entries, max(sequence)::int as highest, count(distinct sequence)::int as numbers
     from ${workSchema}.entries where topic = $1 and partition = $2 group by token`,
    [topic, partition],
  );
  return rows;
}

async function loadPrecedences(client: ClientBase, { topic, partition }: ProjectedPosition) {
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
  const { rows } = await client.query<{ topic: string; partition: number }>(
    `select distinct topic, partition from ${workSchema}.entries`,
  );
  const unknown = rows.find(({ topic, partition }) => !known.has(`${topic}/${partition}`));
  if (unknown !== undefined)
    throw damaged(`${unknown.topic}/${unknown.partition}`, 'has events but no position');
}

const damaged = (place: string, what: string): OperatorError =>
  new OperatorError(
    `The log cannot be written, because the history in Postgres ${what} for ${place}. Restore a backup of Postgres or of Kafka.`,
  );
