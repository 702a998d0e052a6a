import { requireAdministrator, requireScope } from '../../../shared/domain/access/actor.ts';
import type { TeamsOf } from '../../../shared/domain/access/assignment.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { isCounted } from '../../../shared/domain/entity/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { perModel } from '../../../shared/domain/entity/per-model.ts';
import type { CurrencyRates } from '../../../shared/domain/field/currency-rates.ts';
import { formatNumber } from '../../../shared/domain/field/format-number.ts';
import { readInput } from '../../../shared/domain/field/read-input.ts';
import type { AttributeValues } from '../../../shared/domain/record/attribute-values.ts';
import { requireMatch } from '../../../shared/domain/record/conditions.ts';
import {
  decideCreate,
  decideDelete,
  decideRestore,
  decideUpdate,
  live,
} from '../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../shared/domain/record/followed-rules.ts';
import { emptyValues } from '../../../shared/domain/record/to-record-body.ts';
import { fullAppend } from '../writer/command-queue.ts';
import { NotOwner } from '../writer/not-owner.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import { type Append, createAppend, requirePossibleId, type Target } from './append.ts';
import { type LinkDeps, prepareLinkChange } from './change-links.ts';
import { duplicateFound, type FindDuplicates } from './find-duplicates.ts';
import type { ReservedNumber } from './number-source.ts';
import { editable, readNewValues } from './read-values.ts';
import { noLinks } from './resolve-links.ts';
import { settleUpdate } from './settle-update.ts';
import { siblingsIn } from './siblings-in.ts';
import type { CreateRequest, Executed, ExistingWriteRequest } from './write-request.ts';

/** Decides on records of this instance's partitions; NotOwner for those of others. */
export interface RecordCommands {
  create(request: CreateRequest): Promise<Executed>;
  update(request: ExistingWriteRequest): Promise<Executed>;
  remove(request: ExistingWriteRequest): Promise<Executed>;
  restore(request: ExistingWriteRequest): Promise<Executed>;
  changeLinks(action: 'link' | 'unlink', request: ExistingWriteRequest): Promise<Executed>;
}

/** What there is beyond that for records of the records log. */
export interface LogRecordCommands extends RecordCommands {
  /** For decisions of another kind. */
  readonly append: Append;
}

export interface RecordCommandDeps extends LinkDeps {
  readonly directory: Directory;
  /** By partition. */
  readonly writers: readonly PartitionWriter[];
  readonly newIdIn: (partition: number) => string;
  readonly findDuplicates: FindDuplicates;
  readonly now: () => number;
  /** Of one partition, or of any that this instance owns. */
  readonly reserveNumber: (
    model: EntityModel,
    attribute: string,
    partition: number | undefined,
  ) => Promise<ReservedNumber>;
  readonly teamsOf: TeamsOf;
  readonly currencies: () => CurrencyRates;
}

/** Thrown out of `decide` when the partition changed hands after a number was reserved; the command starts again. */
class ReservationLost extends Error {
  override readonly name = 'ReservationLost';
}

/** Commands over records of any entity type in the records log. */
export function createRecordCommands(deps: RecordCommandDeps): LogRecordCommands {
  const nextPartition = createTurns(deps.writers);
  const append = createAppend(deps.writers);
  return {
    append,
    create: (request) => create(request, { ...deps, nextPartition, append }),
    update: (request) => update(request, { ...deps, append }),
    async changeLinks(action, request) {
      requirePossibleId(request.id);
      const decide = await prepareLinkChange(action, request, deps);
      return append(request, { id: request.id, isCreation: false, decide });
    },
    async remove(request) {
      const { actor, model } = request;
      requireScope(actor, model.name, 'delete');
      return append(request, {
        id: request.id,
        isCreation: false,
        decide(state) {
          const current = live(state, request.id);
          requireRecordAccess(actor, 'delete', { ...current, model });
          requireMatch(current, request.conditions);
          return decideDelete(current);
        },
      });
    },
    async restore(request) {
      requireAdministrator(request.actor);
      return append(request, { id: request.id, isCreation: false, decide: restoring(request) });
    },
  };
}

/** Nobody else even sees what was deleted. */
export function restoring({ id, conditions }: ExistingWriteRequest): Target['decide'] {
  return (state) => {
    const decided = decideRestore(state, id);
    if (state !== undefined) requireMatch(state, conditions);
    return decided;
  };
}

async function create(
  request: CreateRequest,
  deps: RecordCommandDeps & { readonly append: Append; readonly nextPartition: () => number },
): Promise<Executed> {
  const { actor, model, body, place } = request;
  requireScope(actor, model.name, 'create');
  const values = { ...(await readNewValues({ actor, model, body }, deps)), ...request.facts };
  const duplicates =
    request.conditions.skipDuplicateCheck === true
      ? []
      : await deps.findDuplicates({ actor, model, values });
  const append: Append = (asked, target) => deps.append(asked, unlessThere(target, duplicates));
  const [numbered, ...others] = countedFields(model);
  if (numbered !== undefined) {
    return createNumbered(request, values, { ...deps, append, counted: [numbered, ...others] });
  }
  const id = place?.id ?? deps.newIdIn(place?.partition ?? deps.nextPartition());
  return append(request, {
    id,
    isCreation: true,
    decide: (state) => decideCreate(state, values, emptyValues(model)),
  });
}

/** Refuses only when it is decided: a command that comes again would find the record that it made itself. */
function unlessThere(
  target: Target,
  duplicates: Awaited<ReturnType<RecordCommandDeps['findDuplicates']>>,
): Target {
  if (duplicates.length === 0) return target;
  return {
    ...target,
    decide() {
      throw duplicateFound(duplicates);
    },
  };
}

async function createNumbered(
  request: CreateRequest,
  values: AttributeValues,
  deps: RecordCommandDeps & {
    readonly append: Append;
    readonly counted: readonly [string, ...string[]];
  },
): Promise<Executed> {
  const { model, place } = request;
  const [numbered, ...others] = deps.counted;
  for (;;) {
    const first = await deps.reserveNumber(model, numbered, place?.partition);
    const { partition } = first;
    const reserved = [first];
    for (const name of others) reserved.push(await deps.reserveNumber(model, name, partition));
    const id = place?.id ?? deps.newIdIn(partition);
    try {
      return await deps.append(request, numberedTarget(model, reserved, { id, values }));
    } catch (error) {
      if (!(error instanceof ReservationLost)) throw error;
    }
  }
}

const countedFields = perModel(({ fields }): readonly string[] =>
  [...fields].filter(([, field]) => isCounted(field)).map(([name]) => name),
);

/** A record with numbers lives in the partition that handed the numbers out. */
function numberedTarget(
  model: EntityModel,
  reserved: readonly ReservedNumber[],
  { id, values }: { readonly id: string; readonly values: AttributeValues },
): Target {
  return {
    id,
    isCreation: true,
    decide: (state, { token }) => {
      if (reserved.some((one) => one.token !== token)) throw new ReservationLost();
      const numbers = reserved.map(({ attribute, number }) => [
        attribute,
        formatNumber(model.fields.get(attribute), number),
      ]);
      const all = { ...values, ...Object.fromEntries(numbers) };
      return decideCreate(state, all, emptyValues(model));
    },
  };
}

async function update(
  request: ExistingWriteRequest,
  deps: RecordCommandDeps & { readonly append: Append },
): Promise<Executed> {
  const { actor, model, body, id, conditions } = request;
  requireScope(actor, model.name, 'edit');
  requirePossibleId(id);
  const { values, problems } = readInput(model, editable(actor, model, body), 'update');
  const links = problems.length > 0 ? noLinks : await deps.resolveLinks({ model, values, actor });
  return deps.append(request, {
    id,
    isCreation: false,
    decide: (state) => {
      const current = live(state, id);
      const update = { actor, model, conditions, values, problems, links };
      const after = settleUpdate(current, update, deps);
      return decideUpdate(
        current,
        withFollowedRules(model, { current: current.values, after, now: Date.now() }),
        siblingsIn(model),
      );
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
    throw new NotOwner(undefined);
  };
}
