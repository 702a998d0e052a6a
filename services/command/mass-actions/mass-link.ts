import { type Actor, requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Conditions } from '../../../shared/domain/record/conditions.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { linkAction } from '../records/record-actions.ts';
import { requireConditions } from '../records/require-conditions.ts';
import type { PlannedMassAction } from './mass-action.ts';
import type { RecordStep } from './mass-action-kinds.ts';
import { type PlanDeps, readSearch } from './plan-mass-action.ts';

/** The action of mass actions that link: clients ask for them at the link, and not by this name. */
export const massLinkAction = 'massLink';

/** Links that can be made for all records of a search, by entity type. */
const massLinks: ReadonlyMap<string, readonly string[]> = new Map([
  ['TargetList', ['accounts', 'contacts', 'leads', 'users']],
]);
/** A record that holds the ids itself gets them in one event. */
const MAX_HELD = 1_000;

export interface MassLinkDeps extends PlanDeps {
  /** Undefined for one that does not exist. */
  readonly readState: (model: EntityModel, id: string) => Promise<RecordState | undefined>;
}

/** All records of a search are to be linked with one record. */
interface MassLink {
  readonly actor: Actor;
  readonly conditions: Conditions;
  /** Of the record. */
  readonly model: EntityModel;
  readonly id: string;
  readonly link: EntityLink & { readonly entityType: string };
  readonly body: Readonly<Record<string, unknown>>;
}

/** The ids that a search finds, and whether they become one change of the record or one of each that is found. */
export async function planMassLink(
  { actor, conditions, model, id, link, body }: MassLink,
  deps: MassLinkDeps,
): Promise<PlannedMassAction> {
  if (massLinks.get(model.name)?.includes(link.name) !== true) {
    throw new Refusal('forbidden', 'link.mass', 'Mass link is not allowed.');
  }
  const filter = readSearch(body);
  const target = deps.directory.entity(link.entityType);
  if (filter === undefined || target === undefined) {
    throw new Refusal('invalid', 'mass_action.body', "'where' or 'searchParams' is missing.");
  }
  requireScope(actor, model.name, 'edit');
  if (link.heldBy === 'other') requireScope(actor, target.name, 'edit');
  const current = live(await deps.readState(model, id), id);
  requireRecordAccess(actor, 'edit', { model, id, values: current.values });
  requireConditions(current, { actor, model, conditions });
  const ids = await deps.findIds({ actor, model: target, filter, limit: maxIdsOf(link, deps) + 1 });
  const data = { field: link.field, entityType: model.name, id };
  return { entityType: target.name, action: massLinkAction, data, ids, isByIds: false };
}

/** So many records may be linked at once. */
export function maxIdsOf({ heldBy }: EntityLink, { maxRecords }: PlanDeps): number {
  return heldBy === 'self' ? Math.min(MAX_HELD, maxRecords) : maxRecords;
}

/** Each record found holds the id of the one that it is linked with. */
export const massLinkStep: RecordStep = {
  requireRights({ actor, model, data: { entityType } }) {
    requireScope(actor, model.name, 'edit');
    requireScope(actor, String(entityType), 'edit');
  },
  command({ field, entityType, id, columnsOf }) {
    const held = { field, ids: [id], entityType, side: 'foreign' };
    // Of a copy, whose maker decided about it.
    const copied = columnsOf === undefined ? {} : { columnsOf, isNew: true };
    return { action: linkAction, body: { ...held, ...copied } };
  },
};
