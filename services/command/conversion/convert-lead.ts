import {
  type Actor,
  accessLevel,
  mayReadField,
  requireScope,
} from '../../../shared/domain/access/actor.ts';
import { hasRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { conversionTargets } from '../../../shared/domain/entity/stock/lead.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { joinConsistencyTokens } from '../../../shared/http/consistency-token.ts';
import type { CommandContext } from '../context.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { convertCommand } from './conversion-commands.ts';
import { followConversion } from './follow-conversion.ts';
import {
  type Conversion,
  type ConversionTarget,
  type PlannedConversion,
  type PlannedRecord,
  readConversion,
  readTargets,
} from './lead-conversion.ts';
import { convertedTypes } from './link-converted.ts';

/**
 * Converts a lead (docs/reference/actions.md#leads): checks everything, appends the decision as one event of the lead,
 * then creates the records and links them with the lead's linked records. `command` contains the request body and the
 * lead's id.
 */
export async function convertLead(
  command: Command & { readonly id: string },
  context: CommandContext,
): Promise<CommandAnswer> {
  const { actor, model, id: leadId, deadline } = command;
  const decided = await context.sender.sendPlanned(convertCommand, {
    ...command,
    async plan(): Promise<PlannedConversion> {
      requireScope(actor, 'Lead', 'edit');
      const lead = await context.readState(model, leadId);
      await finishPrevious(command, readConversion(lead?.values['conversion']), context);
      const planned = await planRecords(command, titleFor(actor, model, lead), context);
      const linked = await findLinked(command, planned.records, context);
      return { actorId: actor.id, ...(linked && { linked }), ...planned };
    },
  });
  // If the request is a repeat, the first decision counts.
  const made = readConversion(decided.state.values['conversion']);
  if (made === undefined) return decided;
  const completing = { ...context, leadId, conversion: made, actor, deadline };
  const following = await followConversion(completing);
  const tokens = [decided, ...following].map(({ consistencyToken }) => consistencyToken);
  const last = following.findLast(({ state }) => state.id === leadId);
  const { state } = last ?? decided;
  return { ...decided, state, consistencyToken: joinConsistencyTokens(tokens) };
}

/** Completes an earlier conversion that a crash interrupted, because the lead stores only its latest one. */
async function finishPrevious(
  { id: leadId, deadline }: Command & { readonly id: string },
  conversion: Conversion | undefined,
  context: CommandContext,
): Promise<void> {
  const user = context.directory.record('User', conversion?.actorId ?? '');
  if (conversion?.linked === undefined || user === undefined) return;
  const actor = context.directory.actor(user);
  try {
    await followConversion({ ...context, leadId, conversion, actor, deadline });
  } catch (error) {
    // The user may have lost permissions in the meantime. The task that completes conversions logs this.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Finds the lead's linked records. The result is empty if the conversion creates no record to link them with. */
async function findLinked(
  { id, deadline }: Command & { readonly id: string },
  records: Planned,
  { directory, untilCaughtUp, findReferring }: CommandContext,
): Promise<Conversion['linked']> {
  if (Object.keys(records).length === 0) return undefined;
  await untilCaughtUp(deadline);
  const linked: Record<string, readonly string[]> = {};
  const relinking = { entityType: 'Lead', from: [id], to: '' };
  for (const entityType of convertedTypes) {
    const model = directory.entity(entityType);
    if (model === undefined) continue;
    const ids: string[] = [];
    for await (const page of findReferring(model, relinking)) ids.push(...page);
    if (ids.length > 0) linked[entityType] = ids;
  }
  return Object.keys(linked).length === 0 ? undefined : linked;
}

type Planned = Partial<Record<ConversionTarget, PlannedRecord>>;

async function planRecords(
  { actor, body }: Command,
  title: string | null,
  { directory, newId, checkCreation }: CommandContext,
) {
  const given = readTargets(body['records']);
  const planned: Planned = {};
  const duplicates: AttributeValues[] = [];
  for (const target of conversionTargets) {
    const model = directory.entity(target);
    const own = given[target];
    if (own === undefined || model === undefined) continue;
    if (accessLevel(actor, target, 'create') === 'no') {
      throw new Refusal('forbidden', 'access.denied', `No 'create' access for ${target}.`);
    }
    const checked = await checkCreation({ actor, model, body: own });
    duplicates.push(...checked.duplicates.map((found) => ({ ...found, _entityType: target })));
    const { name } = checked.values;
    planned[target] = {
      id: newId(),
      name: typeof name === 'string' ? name : null,
      body: {
        ...own,
        ...linksTo(planned, target, own),
        ...titleOf(planned, target, { own, title }),
      },
    };
  }
  return { records: planned, duplicates: body['skipDuplicateCheck'] === true ? [] : duplicates };
}

/** Returns the lead's title, or null if the user may not read it. */
function titleFor(actor: Actor, model: EntityModel, lead: RecordState | undefined): string | null {
  const title = lead?.values['title'];
  if (lead === undefined || typeof title !== 'string') return null;
  const isOpen =
    mayReadField(actor, model, 'title') && hasRecordAccess(actor, 'read', { ...lead, model });
  return isOpen ? title : null;
}

/**
 * Returns the lead's title as the contact's title in the new account, unless the client sets the account or the title.
 */
function titleOf(
  { Account }: Planned,
  target: ConversionTarget,
  {
    own,
    title,
  }: { readonly own: Readonly<Record<string, unknown>>; readonly title: string | null },
): Readonly<Record<string, string>> {
  const isOfAccount = target === 'Contact' && Account !== undefined && own['accountId'] == null;
  return isOfAccount && title !== null && own['title'] == null ? { title } : {};
}

/**
 * Returns links from the contact to the account, and from the opportunity to both, unless the client sets other links.
 */
function linksTo(
  { Account, Contact }: Planned,
  target: ConversionTarget,
  own: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return {
    ...(target !== 'Account' && Account !== undefined && own['accountId'] == null
      ? { accountId: Account.id }
      : {}),
    ...(target === 'Opportunity' && Contact !== undefined && own['contactId'] == null
      ? { contactId: Contact.id }
      : {}),
  };
}
