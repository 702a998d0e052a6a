import { type Actor, mayReadField, requireScope } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/record/attribute-values.ts';
import { joinConsistencyTokens } from '../../../shared/http/consistency-token.ts';
import type { RouteCommand, RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import type { FollowDeps } from './follow-merge.ts';
import {
  type Conversion,
  type ConversionTarget,
  conversionKey,
  conversionTargets,
  type PlannedConversion,
  type PlannedRecord,
  readConversion,
  readTargets,
} from './lead-conversion.ts';

export interface ConvertDeps {
  readonly directory: Directory;
  readonly route: RouteCommand;
  readonly newId: () => string;
  readonly now: () => number;
  /** The values that a body comes to, and what there is of the same kind; refuses what could not be created. */
  readonly checkCreation: (creation: {
    readonly actor: Actor;
    readonly model: EntityModel;
    readonly body: Readonly<Record<string, unknown>>;
  }) => Promise<{
    readonly values: AttributeValues;
    readonly duplicates: readonly Readonly<Record<string, AttributeValue>>[];
  }>;
}

/**
 * Converts a lead (api-facts 6.1): everything is checked first, then the lead's event decides, then the records follow.
 * `command` is the request with its body, for the lead.
 */
export async function convertLead(
  command: RoutedCommand & { readonly id: string },
  deps: ConvertDeps & Pick<FollowDeps, 'readState'>,
): Promise<RoutedAnswer> {
  const { actor, body } = command;
  requireScope(actor, 'Lead', 'edit');
  const title = await readTitle(command, deps);
  const records = await planRecords({ actor, body, title }, deps);
  const planned: PlannedConversion = { actorId: actor.id, ...records };
  const decided = await deps.route({ ...command, action: 'convert', body: { ...planned } });
  // Of a request that came again it is the first decision that counts.
  const made = readConversion(decided.state.values['conversion']) ?? planned;
  const making = { leadId: String(body['id']), conversion: made, actor };
  const tokens = await makeRecords(making, command.deadline, deps);
  const all = [decided.consistencyToken, ...tokens];
  return { ...decided, consistencyToken: joinConsistencyTokens(all) };
}

interface Making {
  readonly leadId: string;
  readonly conversion: Conversion;
  readonly actor: Actor;
}

/** Makes those records of a conversion that are not there yet; answers where they stand in the log. */
export async function makeRecords(
  { leadId, conversion, actor }: Making,
  deadline: number,
  { directory, route }: Pick<ConvertDeps, 'directory' | 'route'>,
): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (const target of conversionTargets) {
    const planned = conversion.records[target];
    const model = directory.entity(target);
    if (planned === undefined || model === undefined) continue;
    const commandId = conversionKey(leadId, target, planned);
    const { consistencyToken } = await route({
      action: 'create',
      actor,
      model,
      id: planned.id,
      body: planned.body,
      conditions: { skipDuplicateCheck: true },
      commandId,
      commandHash: commandId,
      deadline,
      untilReadable: true,
    });
    tokens.push(consistencyToken);
  }
  return tokens;
}

type Planned = Partial<Record<ConversionTarget, PlannedRecord>>;

async function planRecords(
  { actor, body, title }: Pick<RoutedCommand, 'actor' | 'body'> & { readonly title: string | null },
  { directory, newId, checkCreation }: ConvertDeps,
): Promise<Pick<PlannedConversion, 'records' | 'duplicates'>> {
  const given = readTargets(body['records']);
  const planned: Planned = {};
  const duplicates: Readonly<Record<string, AttributeValue>>[] = [];
  for (const target of conversionTargets) {
    const model = directory.entity(target);
    const own = given[target];
    if (own === undefined || model === undefined) continue;
    requireCreate(actor, target);
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

/** Whoever may not change the lead gets nothing of it: its conversion is refused when it is decided. */
async function readTitle(
  { actor, model, id }: RoutedCommand & { readonly id: string },
  { readState }: Pick<FollowDeps, 'readState'>,
): Promise<string | null> {
  const title = (await readState(model, id))?.values['title'];
  return typeof title === 'string' && mayReadField(actor, model, 'title') ? title : null;
}

/** What the person was there stays what the contact is in the account that it gets, unless the client says otherwise. */
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

/** The contact belongs to the account, the opportunity to both, unless the client says otherwise. */
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

function requireCreate(actor: Actor, entityType: string): void {
  try {
    requireScope(actor, entityType, 'create');
  } catch {
    throw new Refusal('forbidden', 'access.denied', `No 'create' access for ${entityType}.`);
  }
}
