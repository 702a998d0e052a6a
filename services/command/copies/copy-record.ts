import {
  type Actor,
  accessLevel,
  mayEditField,
  mayReadField,
} from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { joinConsistencyTokens } from '../../../shared/http/consistency-token.ts';
import { noFilter } from '../../../shared/search/list-filter.ts';
import type { CommandContext } from '../context.ts';
import { linkingEach } from '../mass-actions/mass-link.ts';
import { tooManyRecords } from '../mass-actions/plan-mass-action.ts';
import { startMassAction, untilMassActionEnded } from '../mass-actions/start-mass-action.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { hashRequest, keyOfStep } from '../owner/hash-request.ts';
import { type Copying, createCommand, createRecord } from '../records/create.ts';

/** Records of another entity type that store a link to the source. */
interface CopiedLink {
  readonly name: string;
  readonly field: string;
  readonly target: EntityModel;
  readonly ids: readonly string[];
}

/**
 * Creates a record and copies those of the source's links that the entity definition lists
 * (docs/reference/actions.md#copies). All checks come first. Then the record is created, and one mass action per link
 * adds the links. Repeating the request with the same Idempotency-Key carries out the remaining steps.
 */
export async function copyRecord(
  request: Command,
  { sourceId, readBody }: Copying,
  context: CommandContext,
): Promise<CommandAnswer> {
  const command = { ...request, commandHash: hashWith(request, sourceId) };
  let links: readonly CopiedLink[] = [];
  const made = await createRecord(command, context, async () => {
    const source = await readSource(command, sourceId, context);
    links = await findLinks(command, source, context);
    return withOwnLinks({ ...command, body: readBody() }, source, context);
  });
  const linked: CommandAnswer[] = [];
  for (const link of links) {
    const decided = await startMassAction(
      { ...command, commandId: keyOfStep(command.commandId, `copy/${link.name}`), conditions: {} },
      () =>
        linkingEach(link, {
          entityType: command.model.name,
          id: made.state.id,
          columnsOf: sourceId,
        }),
      context,
    );
    linked.push(decided);
    await untilMassActionEnded(decided, command.deadline, context);
  }
  const tokens = [made, ...linked].map(({ consistencyToken }) => consistencyToken);
  return { ...made, consistencyToken: joinConsistencyTokens(tokens) };
}

/** Returns a hash of the request that includes the source. */
function hashWith({ commandId, model, body }: Command, sourceId: string) {
  if (commandId === null) return null;
  return hashRequest({ command: createCommand.name, entityType: model.name, id: sourceId, body });
}

async function readSource(
  { actor, model, deadline }: Command,
  sourceId: string,
  context: CommandContext,
): Promise<RecordState> {
  await context.untilCaughtUp(deadline);
  const source = live(await context.readState(model, sourceId), sourceId);
  requireRecordAccess(actor, 'read', { ...source, model });
  return source;
}

/** Adds links that the new record itself stores, unless the client sets them. Omits deleted users. */
function withOwnLinks(
  { actor, model, body }: Command,
  source: RecordState,
  { directory }: CommandContext,
): Command['body'] {
  const copied: Record<string, unknown> = {};
  for (const name of model.definition.copiedLinks ?? []) {
    const { entityType = '' } = model.fields.get(name) ?? {};
    const ids = source.values[`${name}Ids`];
    if (!Array.isArray(ids) || !mayReadField(actor, model, name)) continue;
    const isThere = (id: string) => directory.record(entityType, id)?.deleted === false;
    copied[`${name}Ids`] = ids.map(String).filter(isThere);
    copied[`${name}Columns`] = source.values[`${name}Columns`] ?? {};
  }
  return { ...copied, ...body };
}

/** Finds links that other records store, if the user may edit those records. */
async function findLinks(
  { actor, model }: Command,
  source: RecordState,
  { config, directory, findIds }: CommandContext,
): Promise<readonly CopiedLink[]> {
  const { maxMassActionRecords: maxRecords } = config;
  const found: CopiedLink[] = [];
  const links = linksOf(model, directory.entity);
  for (const name of model.definition.copiedLinks ?? []) {
    const { heldBy, field = '', entityType = '' } = links.get(name) ?? {};
    const target = directory.entity(entityType);
    if (heldBy !== 'other' || target === undefined || !mayChange(actor, target, field)) continue;
    const where = [{ ...linkedWith, attribute: field, value: [source.id] }];
    const filter = { ...noFilter, where };
    const ids = await findIds({ actor, model: target, filter, limit: maxRecords + 1 });
    if (ids.length > maxRecords) throw tooManyRecords(maxRecords);
    if (ids.length > 0) found.push({ name, field, target, ids });
  }
  return found;
}

const linkedWith = { type: 'linkedWith', clock: undefined };

function mayChange(actor: Actor, target: EntityModel, field: string): boolean {
  const mayUse = (['read', 'edit'] as const).every(
    (right) => accessLevel(actor, target.name, right) !== 'no',
  );
  return mayUse && mayReadField(actor, target, field) && mayEditField(actor, target, field);
}
