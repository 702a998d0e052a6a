import { type Actor, mayEditField, requireScope } from '../../../shared/domain/access/actor.ts';
import { hasRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isId } from '../../../shared/domain/field/read-link.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import {
  cannotLinkAlreadyLinked,
  cannotRelateNonExisting,
  noLinkAccess,
} from '../commands/link-refusals.ts';
import type { RouteCommand, RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import type { UntilCaughtUp } from '../forward/until-caught-up.ts';

export interface LinkNewDeps {
  readonly directory: { readonly entity: FindModel };
  readonly route: RouteCommand;
  readonly readState: (model: EntityModel, id: string) => Promise<RecordState | undefined>;
  readonly untilCaughtUp: UntilCaughtUp;
  /** Whether the read model knows a command of this key. */
  readonly isDone: (actorId: string, commandId: string) => Promise<boolean>;
}

/** A record that holds a link of its own, and shall be linked with a new one. */
interface NewLink {
  readonly link: EntityLink;
  readonly target: EntityModel;
  readonly id: string;
}

/**
 * Creates a record and links it with those that its body names by links that stand on the other side: `contactsIds` of an
 * account, one of each link (api-facts 3.7). What can be refused is refused before the record is made; under an
 * Idempotency-Key a request that comes again does what is left.
 */
export async function createLinked(
  command: RoutedCommand,
  deps: LinkNewDeps,
): Promise<RoutedAnswer> {
  const links = linksIn(command, deps.directory.entity);
  if (links.length === 0) return deps.route(command);
  if (!(await wasMade(command, deps))) await requireLinkable(command, links, deps);
  // A link names the record as the read model has it.
  const answer = await deps.route({ ...command, untilReadable: true });
  for (const link of links) await deps.route(linking(command, link, answer.state.id));
  return answer;
}

/** A request that comes again finds linked what it linked itself. */
export async function wasMade(
  { actor, commandId, deadline }: RoutedCommand,
  { untilCaughtUp, isDone }: LinkNewDeps,
): Promise<boolean> {
  if (commandId === null) return false;
  await untilCaughtUp(deadline);
  return isDone(actor.id, commandId);
}

function linking(
  command: RoutedCommand,
  { link, target, id }: NewLink,
  newId: string,
): RoutedCommand {
  const { commandId, model } = command;
  const { field, name, keepsLinked } = link;
  const linked = { field, ids: [newId], entityType: model.name };
  return {
    ...command,
    action: 'link',
    model: target,
    id,
    commandId: commandId === null ? null : `${commandId.slice(0, 200)}/${name}/${id}`,
    conditions: {},
    body: { ...linked, side: 'foreign', keepsLinked, isNew: true },
  };
}

/** The attribute that names records of a link of the other side; undefined for any other link. */
export function foreignIds(model: EntityModel, { name, heldBy }: EntityLink): string | undefined {
  const attribute = `${name}Ids`;
  return heldBy === 'other' && !model.attribute.has(attribute) ? attribute : undefined;
}

function linksIn({ model, body }: RoutedCommand, findModel: FindModel): readonly NewLink[] {
  // Nearly every body has none.
  const isForeign = (name: string) => name.endsWith('Ids') && !model.attribute.has(name);
  if (!Object.keys(body).some(isForeign)) return [];
  return [...linksOf(model, findModel).values()].flatMap((link) => {
    const attribute = foreignIds(model, link);
    const target = findModel(link.entityType ?? '');
    const id = attribute === undefined ? undefined : readOne(attribute, body[attribute]);
    return id === undefined || target === undefined ? [] : [{ link, target, id }];
  });
}

async function requireLinkable(
  { actor, model }: RoutedCommand,
  links: readonly NewLink[],
  { readState }: LinkNewDeps,
): Promise<void> {
  requireScope(actor, model.name, 'create');
  for (const one of links) requireFree(actor, one, await readState(one.target, one.id));
}

function requireFree(
  actor: Actor,
  { link, target }: NewLink,
  state: RecordState | undefined,
): void {
  if (state === undefined || state.deleted) throw cannotRelateNonExisting(target.name);
  const isOpen = target.definition.log === 'records' || actor.type === 'admin';
  const mayEdit = isOpen && hasRecordAccess(actor, 'edit', { ...state, model: target });
  if (!mayEdit || !mayEditField(actor, target, link.field)) {
    throw noLinkAccess('foreign', target.name);
  }
  const linkedId = state.values[`${link.field}Id`] ?? null;
  if (link.keepsLinked === true && linkedId !== null) throw cannotLinkAlreadyLinked();
}

function readOne(attribute: string, ids: unknown): string | undefined {
  if (ids === undefined || ids === null) return undefined;
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string' && isId(id))) {
    throw new Refusal('invalid', 'link.ids', `${attribute} has to be a list of ids.`);
  }
  const [first, ...others] = new Set(ids.map(String));
  if (others.length === 0) return first;
  const message = `${attribute}: a new record can be linked with one record only.`;
  throw new Refusal('forbidden', 'link.several', message);
}
