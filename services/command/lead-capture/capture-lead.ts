import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isStorableText } from '../../../shared/domain/field/types/text/read-text.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { noFilter } from '../../../shared/search/list-filter.ts';
import { readWhereItems } from '../../../shared/search/where/where-item.ts';
import type { CommandContext } from '../context.ts';
import { bySystem } from '../owner/command.ts';
import { createCommand } from '../records/create.ts';
import { linkCommand } from '../records/link.ts';
import { readCapturedValues } from './read-captured-values.ts';

/** The data from a form, and the capture that received it. */
interface Captured {
  readonly capture: AttributeValues;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** The existing records that a capture refers to. A form works even if some of them are missing. */
interface Targets {
  readonly campaignId: string | undefined;
  readonly targetListId: string | undefined;
  readonly teamId: string | undefined;
}

/**
 * Carries out a request from a form (docs/reference/lead-capture.md): creates a lead, or finds the lead or contact with
 * the same e-mail address or telephone number. An existing record stays unchanged except for its team and target list.
 */
export async function captureLead(captured: Captured, context: CommandContext): Promise<void> {
  const { capture, payload } = captured;
  const lead = requireModel(context, 'Lead');
  const values = readCapturedValues(lead, capture, payload);
  const targets = await findTargets(capture, context);
  const { targetListId } = targets;
  const looksForOthers = capture['duplicateCheck'] === true;
  const mayBeContact =
    targetListId !== undefined && capture['subscribeContactToTargetList'] === true;
  if (looksForOthers && mayBeContact) {
    const contact = requireModel(context, 'Contact');
    const found = await findSame(contact, values, context);
    if (found !== undefined)
      return linkTo(captured, context, { model: contact, id: found, targetListId });
  }
  const found = looksForOthers ? await findSame(lead, values, context) : undefined;
  if (found === undefined) return createLead(captured, context, { lead, values, targets });
  await linkTo(captured, context, { model: lead, id: found, ...targets });
}

function requireModel({ directory }: CommandContext, name: string): EntityModel {
  const model = directory.entity(name);
  if (model === undefined) throw new Error(`no entity type ${name}`);
  return model;
}

async function findTargets(capture: AttributeValues, context: CommandContext): Promise<Targets> {
  const { campaignId, targetListId, targetTeamId } = capture;
  const team = context.directory.record('Team', String(targetTeamId));
  const live = async (entityType: string, id: unknown) => {
    if (typeof id !== 'string') return undefined;
    const state = await context.readState(requireModel(context, entityType), id);
    return state === undefined || state.deleted ? undefined : id;
  };
  // Annals cannot request a confirmation, so a capture that needs one does not subscribe the lead.
  const subscribes =
    capture['subscribeToTargetList'] === true && capture['optInConfirmation'] !== true;
  return {
    campaignId: await live('Campaign', campaignId),
    targetListId: subscribes ? await live('TargetList', targetListId) : undefined,
    teamId: team === undefined || team.deleted ? undefined : team.id,
  };
}

/** Finds the oldest record with the same e-mail address or telephone number. */
async function findSame(
  model: EntityModel,
  values: Readonly<Record<string, unknown>>,
  { findIds }: CommandContext,
): Promise<string | undefined> {
  const same = ['emailAddress', 'phoneNumber'].flatMap((attribute) => {
    const value = values[attribute];
    // A text that no table can store cannot match, and is rejected when the lead is created.
    return typeof value === 'string' && isStorableText(value)
      ? [{ type: 'equals', attribute, value: value.trim() }]
      : [];
  });
  if (same.length === 0) return undefined;
  const filter = { ...noFilter, where: readWhereItems([{ type: 'or', value: same }]) };
  const [id] = await findIds({ actor: bySystem.actor, model, filter, limit: 1 });
  return id;
}

async function createLead(
  { capture, deadline }: Captured,
  { sender }: CommandContext,
  made: {
    readonly lead: EntityModel;
    readonly values: Readonly<Record<string, unknown>>;
    readonly targets: Targets;
  },
): Promise<void> {
  const { campaignId, targetListId, teamId } = made.targets;
  const { leadSource } = capture;
  const body = {
    ...made.values,
    ...(typeof leadSource === 'string' && leadSource !== '' ? { source: leadSource } : {}),
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(teamId === undefined ? {} : { teamsIds: [teamId] }),
    ...(targetListId === undefined ? {} : { targetListsIds: [targetListId] }),
  };
  await sender.send(createCommand, {
    ...bySystem,
    model: made.lead,
    body,
    // captureLead has searched for duplicates, and the capture defines which fields are required.
    conditions: { skipDuplicateCheck: true, allowsMissingFields: true },
    deadline,
    untilReadable: true,
  });
}

/**
 * Adds the team and the target list to an existing record. If the target list already contains the record, its opt-out
 * is kept.
 */
async function linkTo(
  { deadline }: Captured,
  { sender }: CommandContext,
  {
    model,
    id,
    targetListId,
    teamId,
  }: Partial<Targets> & { readonly model: EntityModel; readonly id: string },
): Promise<void> {
  for (const [field, entityType, linked] of [
    ['teams', 'Team', teamId],
    ['targetLists', 'TargetList', targetListId],
  ] as const) {
    if (linked === undefined) continue;
    const body = { field, ids: [linked], entityType };
    const command = { ...bySystem, model, id, body, deadline, untilReadable: true };
    await sender.send(linkCommand, command);
  }
}
