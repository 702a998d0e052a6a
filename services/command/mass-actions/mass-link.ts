import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { CommandContext } from '../context.ts';
import { requireConditions } from '../records/input/require-conditions.ts';
import { type LinkingRequest, linkCommand, requireChangeable } from '../records/link.ts';
import { type PlannedMassAction, resultOf } from './mass-action.ts';
import { massLinkAction } from './mass-action-kinds.ts';
import { readSearch, tooManyRecords } from './plan-mass-action.ts';
import { startMassAction, untilMassActionEnded } from './start-mass-action.ts';

/** Maximum number of ids in one event, if the one record stores the ids itself. */
const MAX_HELD = 1_000;

/**
 * Plans a mass link. Finds the ids of the search, and determines which side stores the link: the one record or the
 * found records.
 */
export async function planMassLink(
  { command, link, id }: LinkingRequest,
  context: CommandContext,
): Promise<PlannedMassAction> {
  const { actor, conditions, model, body } = command;
  requireChangeable({ actor, model }, link);
  if (model.definition.massLinks?.includes(link.name) !== true) {
    throw new Refusal('forbidden', 'link.mass', 'Mass link is not allowed.');
  }
  const filter = readSearch(body);
  const target = context.directory.entity(link.entityType);
  if (filter === undefined || target === undefined) {
    throw new Refusal('invalid', 'mass_action.body', "'where' or 'searchParams' is missing.");
  }
  requireScope(actor, model.name, 'edit');
  if (link.heldBy === 'other') requireScope(actor, target.name, 'edit');
  const current = live(await context.readState(model, id), id);
  requireRecordAccess(actor, 'edit', { model, id, values: current.values });
  requireConditions(current, { actor, model, conditions });
  const ids = await context.findIds({
    actor,
    model: target,
    filter,
    limit: maxIdsOf(link, context) + 1,
  });
  return linkingEach({ field: link.field, target, ids }, { entityType: model.name, id });
}

/** Links each found record with one record. For a copy, link columns are copied from the original record. */
export function linkingEach(
  found: { readonly field: string; readonly target: EntityModel; readonly ids: readonly string[] },
  to: { readonly entityType: string; readonly id: string; readonly columnsOf?: string },
): PlannedMassAction {
  const { field, target, ids } = found;
  const data = { field, ...to };
  return { entityType: target.name, action: massLinkAction, data, ids, isByIds: false };
}

/** Returns the maximum number of records that one request may link. */
function maxIdsOf({ heldBy }: EntityLink, { config }: CommandContext): number {
  const { maxMassActionRecords: maxRecords } = config;
  return heldBy === 'self' ? Math.min(MAX_HELD, maxRecords) : maxRecords;
}

/**
 * Links all records that a search finds: with one change to the record that stores the ids, or one change to each found
 * record.
 */
export async function linkFound(
  found: LinkingRequest,
  context: CommandContext,
): ReturnType<CommandContext['linkFound']> {
  const { command, link, id } = found;
  const plan = async () => planMassLink(found, context);
  if (link.heldBy === 'self') {
    let isLinked = false;
    const written = await context.sender.sendPlanned(linkCommand, {
      ...command,
      id,
      async plan() {
        const { ids } = await plan();
        if (ids.length > maxIdsOf(link, context)) throw tooManyRecords(maxIdsOf(link, context));
        isLinked = ids.length > 0;
        return { field: link.field, ids, entityType: link.entityType };
      },
    });
    return { written: [written], isLinked: isLinked || written.isReplay };
  }
  const decided = await startMassAction(command, plan, context);
  const { count } = resultOf(await untilMassActionEnded(decided, command.deadline, context));
  return { written: [decided], isLinked: count > 0 };
}
