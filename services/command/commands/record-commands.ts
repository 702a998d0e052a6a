import { type Actor, requireAccess } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import {
  type FieldProblem,
  Unavailable,
  validationFailure,
} from '../../../shared/domain/errors.ts';
import { joinProblems } from '../../../shared/domain/field/join-problems.ts';
import { readInput } from '../../../shared/domain/field/read-input.ts';
import { settleValues } from '../../../shared/domain/field/settle-values.ts';
import type { AttributeValues } from '../../../shared/domain/record/attribute-values.ts';
import {
  decideCreate,
  decideDelete,
  decideUpdate,
  live,
  recordNotFound,
} from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { fullAppend } from '../writer/command-queue.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import type { Submission } from '../writer/submission.ts';
import type { ReservedNumber } from './number-source.ts';
import { siblingsIn } from './siblings-in.ts';
import type { UntilReadable } from './until-readable.ts';

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
  /** By partition. */
  readonly writers: readonly PartitionWriter[];
  readonly untilReadable: UntilReadable;
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

const MAX_ID_LENGTH = 100;

/** Thrown out of `decide` when the partition changed hands after a number was reserved; the command starts again. */
class ReservationLost extends Error {
  override readonly name = 'ReservationLost';
}

/** Commands over records of any entity type in the records log. */
export function createRecordCommands(deps: RecordCommandDeps): RecordCommands {
  const nextPartition = createTurns(deps.writers);
  const append = createAppend(deps);
  return {
    create: (request) => create(request, { ...deps, nextPartition, append }),
    update: (request) => update(request, { ...deps, append }),
    async remove(request) {
      requireAccess(request.actor, request.model.name, 'delete');
      requirePossibleId(request.id);
      await append(request, { id: request.id, isCreation: false, decide: decideDelete });
    },
  };
}

type Append = (request: WriteRequest, target: Target) => Promise<RecordState>;

async function create(
  request: WriteRequest,
  deps: RecordCommandDeps & { readonly append: Append; readonly nextPartition: () => number },
): Promise<RecordState> {
  const { actor, model, body } = request;
  requireAccess(actor, model.name, 'create');
  const input = readInput(model, body, 'create');
  const settled = settleValues(model, null, input.values);
  refuse(model, joinProblems(model, input.problems, settled.problems));
  const links = await deps.resolveLinks({ model, values: settled.values, actor });
  const values = { ...settled.values, ...links };
  const numbered = numberedAttribute(model);
  if (numbered === undefined) {
    const id = deps.newIdIn(deps.nextPartition());
    return deps.append(request, {
      id,
      isCreation: true,
      decide: (state) => decideCreate(state, values),
    });
  }
  for (;;) {
    const reserved = await deps.reserveNumber(model, numbered);
    try {
      return await deps.append(
        request,
        numberedTarget(reserved, { values, newIdIn: deps.newIdIn }),
      );
    } catch (error) {
      if (!(error instanceof ReservationLost)) throw error;
    }
  }
}

function numberedAttribute(model: EntityModel): string | undefined {
  return model.attributes.find(({ field }) => model.fields.get(field)?.type === 'autoincrement')
    ?.name;
}

/** A record with a number lives in the partition that handed the number out. */
function numberedTarget(
  { partition, token: reservedUnder, attribute, number }: ReservedNumber,
  { values, newIdIn }: Pick<RecordCommandDeps, 'newIdIn'> & { readonly values: AttributeValues },
): Target {
  return {
    id: newIdIn(partition),
    isCreation: true,
    decide: (state, { token }) => {
      if (token !== reservedUnder) throw new ReservationLost();
      return decideCreate(state, { ...values, [attribute]: number });
    },
  };
}

/** What cannot be the id of a record names none; Postgres would not even take it as a text. */
function requirePossibleId(id: string): void {
  if (id.length > MAX_ID_LENGTH || !id.isWellFormed() || id.includes('\0')) throw recordNotFound();
}

async function update(
  request: ExistingWriteRequest,
  deps: RecordCommandDeps & { readonly append: Append },
): Promise<RecordState> {
  const { actor, model, body, id } = request;
  requireAccess(actor, model.name, 'edit');
  requirePossibleId(id);
  const { values, problems } = readInput(model, body, 'update');
  const links = problems.length > 0 ? {} : await deps.resolveLinks({ model, values, actor });
  return deps.append(request, {
    id,
    isCreation: false,
    decide: (state) => {
      const current = live(state);
      const settled = settleValues(model, current.values, values);
      refuse(model, joinProblems(model, problems, settled.problems));
      return decideUpdate(current, { ...settled.values, ...links }, siblingsIn(model));
    },
  });
}

/**
 * New records go to the owned partitions in turn, but those of one moment to the same one: they then leave in one
 * append, with one flush of the disk, and come back in one read. That is what a write costs most. A moment is a turn of
 * the event loop, or as many records as fill an append.
 */
function createTurns(writers: readonly PartitionWriter[]): () => number {
  let turn = 0;
  let given = 0;

  function nextTurn(): void {
    turn = (turn + 1) % writers.length;
    given = 0;
  }

  return () => {
    if (given === 0) setImmediate(nextTurn);
    if (given >= fullAppend) nextTurn();
    given += 1;
    for (let step = 0; step < writers.length; step++) {
      const partition = (turn + step) % writers.length;
      if (writers[partition]?.isOwned()) return partition;
    }
    throw new Unavailable('no partition is owned now');
  };
}

function createAppend(deps: RecordCommandDeps): Append {
  return async (request, target) => {
    const partition = partitionOf(target.id, deps.writers.length);
    const writer = deps.writers[partition];
    if (writer === undefined) throw new Unavailable(`partition ${partition} has no writer`);
    const deadline = deps.now() + deps.timeoutMs;
    const { state, offset } = await writer.submit({
      entityType: request.model.name,
      recordId: target.id,
      isCreation: target.isCreation,
      actorId: request.actor.id,
      commandId: null,
      commandHash: null,
      correlationId: request.correlationId,
      isRepeat: false,
      deadline,
      decide: target.decide,
    });
    if (request.untilReadable && offset !== undefined) {
      await deps.untilReadable({ partition, offset, deadline });
    }
    return state;
  };
}

interface Target {
  readonly id: string;
  readonly isCreation: boolean;
  readonly decide: Submission['decide'];
}

/** Throws a refusal that names every failing field, if there is one. */
export function refuse(model: EntityModel, problems: readonly FieldProblem[]): void {
  const [first, ...others] = problems;
  if (first !== undefined) throw validationFailure(model.name, [first, ...others]);
}
