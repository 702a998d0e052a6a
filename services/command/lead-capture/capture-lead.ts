import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isStorableText } from '../../../shared/domain/field/types/text/read-text.ts';
import { type AttributeValues, toObject } from '../../../shared/domain/value/attribute-values.ts';
import { noFilter } from '../../../shared/search/list-filter.ts';
import { readWhereItems } from '../../../shared/search/where/where-item.ts';
import type { CommandContext } from '../context.ts';
import { bySystem, type CommandAnswer } from '../owner/command.ts';
import { createCommand } from '../records/create.ts';
import { linkCommand } from '../records/link.ts';
import { updateCommand } from '../records/update.ts';

/** The values from a form, and the capture that received them. */
export interface Captured {
  readonly capture: AttributeValues;
  /** As returned by readCapturedValues. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /**
   * Set if the capture requires an opt-in. The visitor then proves one e-mail address, so only records with this address
   * count as the same, and no record is subscribed before the confirmation.
   */
  readonly optIn?: OptIn;
}

interface OptIn {
  /** Repetitions with the same id create one lead. */
  readonly id: string;
  readonly isConfirmed: boolean;
  /** True if the visitor has opened the link. Without this, an opt-out from the target list is kept. */
  readonly endsOptOut: boolean;
}

/** The existing records that a capture refers to. A form works even if some of them are missing. */
interface Targets {
  readonly campaignId: string | undefined;
  readonly targetListId: string | undefined;
  readonly teamId: string | undefined;
}

/** The conditions for all creations: captureLead searches for duplicates, and the capture defines the required fields. */
export const creationConditions = { skipDuplicateCheck: true, allowsMissingFields: true } as const;

/**
 * Carries out a request from a form (docs/reference/lead-capture.md): creates a lead, or finds the lead or contact with
 * the same e-mail address or telephone number. An existing record stays unchanged except for its team and target list.
 */
export async function captureLead(captured: Captured, context: CommandContext): Promise<void> {
  const { capture, values, optIn } = captured;
  const lead = requireModel(context, 'Lead');
  const targets = await findTargets(captured, context);
  const { targetListId } = targets;
  const looksForOthers = capture['duplicateCheck'] === true;
  const mayBeContact =
    targetListId !== undefined && capture['subscribeContactToTargetList'] === true;
  const attributes = optIn === undefined ? ['emailAddress', 'phoneNumber'] : ['emailAddress'];
  const same = { values, attributes };
  if (looksForOthers && mayBeContact) {
    const contact = requireModel(context, 'Contact');
    const found = await findSame(contact, same, context);
    if (found !== undefined)
      return linkTo(captured, context, { model: contact, id: found, targetListId });
  }
  const found = looksForOthers ? await findSame(lead, same, context) : undefined;
  if (found !== undefined) {
    return linkTo(captured, context, { model: lead, id: found, ...targets });
  }
  const { state, isReplay } = await createLead(captured, context, { lead, targets });
  // The lead was created before the confirmation, or by an attempt whose process died.
  if (isReplay) await linkTo(captured, context, { model: lead, id: state.id, targetListId });
}

export function requireModel({ directory }: CommandContext, name: string): EntityModel {
  const model = directory.entity(name);
  if (model === undefined) throw new Error(`no entity type ${name}`);
  return model;
}

async function findTargets(
  { capture, optIn }: Captured,
  context: CommandContext,
): Promise<Targets> {
  const { campaignId, targetListId, targetTeamId } = capture;
  const team = context.directory.record('Team', String(targetTeamId));
  const live = async (entityType: string, id: unknown) => {
    if (typeof id !== 'string') return undefined;
    const state = await context.readState(requireModel(context, entityType), id);
    return state === undefined || state.deleted ? undefined : id;
  };
  const subscribes = capture['subscribeToTargetList'] === true && optIn?.isConfirmed !== false;
  return {
    campaignId: await live('Campaign', campaignId),
    targetListId: subscribes ? await live('TargetList', targetListId) : undefined,
    teamId: team === undefined || team.deleted ? undefined : team.id,
  };
}

/** Returns true if a lead or contact with this e-mail address is in the capture's target list and has not opted out. */
export async function isSubscribed(
  { capture, values }: Captured,
  context: CommandContext,
): Promise<boolean> {
  const { targetListId } = capture;
  if (typeof targetListId !== 'string') return false;
  for (const entityType of ['Contact', 'Lead']) {
    const model = requireModel(context, entityType);
    const id = await findSame(model, { values, attributes: ['emailAddress'] }, context);
    const found = id === undefined ? undefined : await context.readState(model, id);
    if (found !== undefined && rowIn(found.values, targetListId)?.['optedOut'] === false) {
      return true;
    }
  }
  return false;
}

/** Returns the columns of the link to a target list; undefined if it is not linked. */
function rowIn(
  { targetListsColumns }: AttributeValues,
  targetListId: string,
): Readonly<Record<string, unknown>> | undefined {
  const row = toObject(targetListsColumns)[targetListId];
  return row === undefined ? undefined : toObject(row);
}

/** Finds the oldest record with one of the same values. */
async function findSame(
  model: EntityModel,
  { values, attributes }: Pick<Captured, 'values'> & { readonly attributes: readonly string[] },
  { findIds }: CommandContext,
): Promise<string | undefined> {
  const same = attributes.flatMap((attribute) => {
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
  { capture, values, deadline, optIn }: Captured,
  { sender }: CommandContext,
  { lead, targets }: { readonly lead: EntityModel; readonly targets: Targets },
): Promise<CommandAnswer> {
  const { campaignId, targetListId, teamId } = targets;
  const { leadSource } = capture;
  const body = {
    ...values,
    ...(typeof leadSource === 'string' && leadSource !== '' ? { source: leadSource } : {}),
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(teamId === undefined ? {} : { teamsIds: [teamId] }),
    ...(targetListId === undefined ? {} : { targetListsIds: [targetListId] }),
  };
  return sender.send(createCommand, {
    ...bySystem,
    ...(optIn !== undefined && { commandId: `opt-in/${optIn.id}`, commandHash: 'opt-in' }),
    model: lead,
    body,
    conditions: creationConditions,
    deadline,
    untilReadable: true,
  });
}

/**
 * Adds the team and the target list to an existing record. If the target list already contains the record, its opt-out
 * is kept, unless the visitor has confirmed the address.
 */
async function linkTo(
  { deadline, optIn }: Captured,
  { sender }: CommandContext,
  {
    model,
    id,
    targetListId,
    teamId,
  }: Partial<Targets> & { readonly model: EntityModel; readonly id: string },
): Promise<void> {
  const command = { ...bySystem, model, id, deadline, untilReadable: true };
  for (const [field, entityType, linked] of [
    ['teams', 'Team', teamId],
    ['targetLists', 'TargetList', targetListId],
  ] as const) {
    if (linked === undefined) continue;
    const body = { field, ids: [linked], entityType };
    const { state } = await sender.send(linkCommand, { ...command, body });
    const isOptedOut =
      field === 'targetLists' && rowIn(state.values, linked)?.['optedOut'] === true;
    if (!isOptedOut || optIn?.endsOptOut !== true) continue;
    const targetListsColumns = { [linked]: { optedOut: false } };
    await sender.send(updateCommand, { ...command, body: { targetListsColumns } });
  }
}
