import type { LinkingFound, LinkRouteDeps } from '../records/link-routes.ts';
import { linkAction } from '../records/record-actions.ts';
import { hashRequest } from '../routing/hash-request.ts';
import { type CarryOutDeps, decidePlanned, untilEnded } from './carry-out-mass-action.ts';
import { resultOf } from './mass-action.ts';
import { massAction } from './mass-action-actions.ts';
import { type MassLinkDeps, maxIdsOf, planMassLink } from './mass-link.ts';
import { tooManyRecords } from './plan-mass-action.ts';

/** Links all records of a search: in one change of the record that holds the ids, or one of each record found. */
export async function linkFound(
  { command, link, id }: LinkingFound,
  deps: CarryOutDeps & MassLinkDeps,
): ReturnType<LinkRouteDeps['linkFound']> {
  const { model, body } = command;
  const planned = await planMassLink({ ...command, link, id }, deps);
  const { ids } = planned;
  const asked = { action: massAction.name, entityType: model.name, id };
  const commandHash =
    command.commandHash && hashRequest({ ...asked, body: { ...body, link: link.name } });
  if (link.heldBy === 'self') {
    if (ids.length > maxIdsOf(link, deps)) throw tooManyRecords(maxIdsOf(link, deps));
    if (ids.length === 0) return { written: [], isLinked: false };
    const held = { field: link.field, ids, entityType: link.entityType };
    const linking = { ...command, id, body: held, commandHash };
    return { written: [await deps.route(linkAction, linking)], isLinked: true };
  }
  const decided = await decidePlanned({ ...command, commandHash }, planned, deps);
  const { count } = resultOf(await untilEnded(decided, command, deps));
  return { written: [decided], isLinked: count > 0 };
}
