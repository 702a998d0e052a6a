import { orUnavailable } from '../../../../shared/db/outage-of.ts';
import { liveTable, quotedColumn } from '../../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import type { BaseContext, StartedContext } from '../../context.ts';
import { NotOwner } from '../../writer/not-owner.ts';
import type { PartitionWriter } from '../../writer/partition-writer.ts';

/** A number for an autoincrement or number field. Valid only while the partition has this token. */
export interface ReservedNumber {
  readonly partition: number;
  readonly token: string;
  readonly attribute: string;
  readonly number: number;
}

interface NumberedPartition {
  readonly partition: number;
  token(): string | undefined;
  /** Resolves once Postgres has all current entries of the partition. */
  caughtUp(): Promise<void>;
}

/**
 * Creates numbers that are unique across partitions without a common log: partition p of n uses p+1, p+1+n, p+1+2n …,
 * and a new record goes to the owned partition whose next number is lowest. An owner of all partitions counts 1, 2, 3
 * …, or from the field's `nextNumber` if that is higher. The last number of a partition is read from Postgres once per
 * take-over. Numbers of failed writes are not reused.
 */
export function createNumberSource(context: StartedContext) {
  const { partitions } = context;
  const counters = new Map<string, Counter>();

  /** Returns the counter for a partition. Reads it from Postgres again if the owner has changed. */
  async function counterOf(model: EntityModel, attribute: string, at: NumberedPartition) {
    const token = at.token();
    if (token === undefined) return undefined;
    const key = `${model.name}.${attribute}/${at.partition}`;
    const known = counters.get(key);
    const counter =
      known?.token === token
        ? known
        : startCounter(token, lastNumber(context, { model, attribute, at }));
    counters.set(key, counter);
    await counter.ready;
    return { partition: at.partition, counter };
  }

  function startCounter(token: string, last: Promise<number>): Counter {
    const counter: Counter = {
      token,
      next: 0,
      ready: last.then((number) => {
        counter.next = number + partitions;
      }),
    };
    counter.ready.catch(() => {
      for (const [key, value] of counters) if (value === counter) counters.delete(key);
    });
    return counter;
  }

  return {
    /** Reserves the lowest next number of all owned partitions. */
    async reserve(
      model: EntityModel,
      attribute: string,
      owned: readonly NumberedPartition[],
    ): Promise<ReservedNumber> {
      const { nextNumber = 1 } = model.fields.get(attribute) ?? {};
      const turns = await Promise.all(owned.map((at) => counterOf(model, attribute, at)));
      const [lowest] = turns
        .filter((turn) => turn !== undefined)
        .map(({ partition, counter }) => {
          const number = Math.max(counter.next, firstFrom(nextNumber, partition, partitions));
          return { partition, counter, number };
        })
        .sort((one, other) => one.number - other.number);
      if (lowest === undefined) throw new NotOwner(undefined);
      const { counter, number, partition } = lowest;
      counter.next = number + partitions;
      return { partition, token: counter.token, attribute, number };
    },
  };
}

/** Reserves numbers in the given partition, or in any that this instance owns. */
export function createReserveNumber(
  context: StartedContext,
  writers: readonly PartitionWriter[],
): BaseContext['reserveNumber'] {
  const { projection, topics } = context;
  const numbers = createNumberSource(context);
  const numbered = writers.map((writer, partition) => ({
    partition,
    token: () => writer.token(),
    caughtUp: () => projection.passed(topics.records, partition, writer.position().offset - 1n),
  }));
  return (model, attribute, only) =>
    numbers.reserve(
      model,
      attribute,
      numbered.filter(({ partition }) => only === undefined || partition === only),
    );
}

/** Reads the last number of a partition, or its start value if it has not assigned a number yet. */
async function lastNumber(
  { pool, partitions }: StartedContext,
  {
    model,
    attribute,
    at,
  }: { readonly model: EntityModel; readonly attribute: string; readonly at: NumberedPartition },
): Promise<number> {
  await at.caughtUp();
  const isText = model.attribute.get(attribute)?.kind === 'string';
  const column = counted(attribute, isText);
  const prefix = isText ? [model.fields.get(attribute)?.prefix ?? ''] : [];
  const { rows } = await orUnavailable(
    pool.query<{ last: number | null }>(
      `select max(${column}) as last from ${liveTable(model.name)}
     where (${column} - 1) % $1::int = $2::int`,
      [partitions, at.partition, ...prefix],
    ),
  );
  return rows[0]?.last ?? at.partition + 1 - partitions;
}

/** Returns the lowest number of a partition that is at least the given one. */
function firstFrom(least: number, partition: number, partitions: number): number {
  const turn = (least - 1) % partitions;
  return least + ((partition - turn + partitions) % partitions);
}

/**
 * Returns SQL for the number in a row. In a text, the number follows the prefix `$3`; after any other prefix, the
 * trailing digits are the number.
 */
function counted(attribute: string, isText: boolean): string {
  const column = quotedColumn({ name: attribute });
  if (!isText) return column;
  return `(case when starts_with(${column}, $3::text)
    then substring(substr(${column}, length($3::text) + 1) from '^[0-9]{1,9}$')
    else substring(${column} from '[0-9]{1,9}$') end)::int`;
}

interface Counter {
  readonly token: string;
  readonly ready: Promise<void>;
  next: number;
}
