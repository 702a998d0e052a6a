import type { ProjectionWatch } from '../../../shared/db/projection-watch.ts';
import { type Actor, requireAccess } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { type FieldProblem, Unavailable, validationFailure } from '../../../shared/domain/errors.ts';
import { joinProblems } from '../../../shared/domain/field/join-problems.ts';
import { readInput } from '../../../shared/domain/field/read-input.ts';
import { settleValues } from '../../../shared/domain/field/settle-values.ts';
import type { AttributeValues } from '../../../shared/domain/record/attribute-values.ts';
import { decideCreate, decideDelete, decideUpdate, live, type SiblingsOf } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import type { Submission, Written } from '../writer/submission.ts';
import type { ReservedNumber } from './number-source.ts';

/** One write as it came in. `body` is a JSON object whose values nobody has looked at. */
export interface WriteRequest {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly body: Readonly<Record<string, unknown>>;
  readonly correlationId: string | null;
  /** False: answer as soon as the log has the event. */
  readonly untilReadable: boolean;
}

export type ExistingWriteRequest = WriteRequest & { readonly id: string };

export interface RecordCommands {
  create(request: WriteRequest): Promise<RecordState>;
  update(request: ExistingWriteRequest): Promise<RecordState>;
  remove(request: ExistingWriteRequest): Promise<void>;
}

export interface RecordCommandDeps {
  readonly directory: Directory;
  readonly topic: string;
  /** By partition. */
  readonly writers: readonly PartitionWriter[];
  readonly projection: ProjectionWatch;
  readonly newIdIn: (partition: number) => string;
  readonly reserveNumber: (model: EntityModel, attribute: string) => Promise<ReservedNumber>;
  readonly resolveLinks: (request: {
    readonly model: EntityModel;
    readonly values: AttributeValues;
    readonly actor: Actor;
  }) => Promise<AttributeValues>;
  readonly now: () => number;
  readonly timeoutMs: number;
}

/** Thrown out of `decide` when the partition changed hands after a number was reserved; the command starts again. */
class ReservationLost extends Error {
  override readonly name = 'ReservationLost';
}

/** Commands over records of any entity type in the records log. */
export function createRecordCommands(deps: RecordCommandDeps): RecordCommands {
  let turn = 0;

  async function create(request: WriteRequest): Promise<RecordState> {
    const { actor, model, body } = request;
    requireAccess(actor, model.name, 'create');
    const input = readInput(model, body, 'create');
    const settled = settleValues(model, null, input.values);
    refuse(model, joinProblems(model, input.problems, settled.problems));
    const links = await deps.resolveLinks({ model, values: settled.values, actor });
    const values = { ...settled.values, ...links };
    for (;;) {
      try {
        return await append(request, await newRecord(model, values));
      } catch (error) {
        if (!(error instanceof ReservationLost)) throw error;
      }
    }
  }

  /** A new record goes to the owned partitions in turn, or to that of its number. */
  async function newRecord(model: EntityModel, values: AttributeValues): Promise<Target> {
    const numbered = model.attributes.find(
      ({ field }) => model.fields.get(field)?.type === 'autoincrement',
    );
    if (numbered === undefined) {
      const partition = nextPartition();
      return {
        id: deps.newIdIn(partition),
        isCreation: true,
        decide: (state) => decideCreate(state, values),
      };
    }
    const reserved = await deps.reserveNumber(model, numbered.name);
    return {
      id: deps.newIdIn(reserved.partition),
      isCreation: true,
      decide: (state, { token }) => {
        if (token !== reserved.token) throw new ReservationLost();
        return decideCreate(state, { ...values, [reserved.attribute]: reserved.number });
      },
    };
  }

  function nextPartition(): number {
    for (const _ of deps.writers) {
      turn = (turn + 1) % deps.writers.length;
      if (deps.writers[turn]?.isOwned()) return turn;
    }
    throw new Unavailable('no partition is owned now');
  }

  async function update(request: ExistingWriteRequest): Promise<RecordState> {
    const { actor, model, body, id } = request;
    requireAccess(actor, model.name, 'edit');
    const input = readInput(model, body, 'update');
    const links = input.problems.length > 0 ? {} : await deps.resolveLinks({ model, values: input.values, actor });
    return append(request, {
      id,
      isCreation: false,
      decide: (state) => {
        const current = live(state);
        const settled = settleValues(model, current.values, input.values);
        refuse(model, joinProblems(model, input.problems, settled.problems));
        return decideUpdate(current, { ...settled.values, ...links }, siblingsIn(model));
      },
    });
  }

  async function remove(request: ExistingWriteRequest): Promise<void> {
    requireAccess(request.actor, request.model.name, 'delete');
    await append(request, { id: request.id, isCreation: false, decide: decideDelete });
  }

  async function append(request: WriteRequest, target: Target): Promise<RecordState> {
    const partition = partitionOf(target.id, deps.writers.length);
    const writer = deps.writers[partition];
    if (writer === undefined) throw new Unavailable(`partition ${partition} has no writer`);
    const deadline = deps.now() + deps.timeoutMs;
    const written = await writer.submit({
      entityType: request.model.name,
      recordId: target.id,
      isCreation: target.isCreation,
      actorId: request.actor.id,
      commandId: null,
      correlationId: request.correlationId,
      deadline,
      decide: target.decide,
    });
    if (request.untilReadable) await untilReadable(partition, written, deadline);
    return written.state;
  }

  /** Read your writes: an answer with 2xx means that Postgres has the change. */
  async function untilReadable(partition: number, { offset }: Written, deadline: number) {
    if (offset === undefined || deps.projection.projected(deps.topic, partition) > offset) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Unavailable('the change is in the log, but cannot be read yet')),
        Math.max(0, deadline - deps.now()),
      );
    });
    try {
      await Promise.race([deps.projection.passed(deps.topic, partition, offset), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  return { create, update, remove };
}

const siblingsOfModel = new WeakMap<EntityModel, ReadonlyMap<string, readonly string[]>>();

function siblingsIn(model: EntityModel): SiblingsOf {
  const known = siblingsOfModel.get(model) ?? buildSiblings(model);
  siblingsOfModel.set(model, known);
  return (attribute) => known.get(attribute) ?? [];
}

function buildSiblings(model: EntityModel): ReadonlyMap<string, readonly string[]> {
  const byField = Map.groupBy(model.attributes, ({ field }) => field);
  return new Map(
    model.attributes.map(({ name, field }) => [
      name,
      (byField.get(field) ?? []).map((sibling) => sibling.name).filter((other) => other !== name),
    ]),
  );
}

interface Target {
  readonly id: string;
  readonly isCreation: boolean;
  readonly decide: Submission['decide'];
}

function refuse(model: EntityModel, problems: readonly FieldProblem[]): void {
  const [first, ...others] = problems;
  if (first !== undefined) throw validationFailure(model.name, [first, ...others]);
}
