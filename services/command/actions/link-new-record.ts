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

interface LinkNewDeps {
  readonly directory: { readonly entity: FindModel };
  readonly route: RouteCommand;
  readonly readState: (model: EntityModel, id: string) => Promise<RecordState | undefined>;
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
  const links = await readNewLinks(command, deps);
  // A link names the record as the read model has it.
  const answer = await deps.route(
    links.length === 0 ? command : { ...command, untilReadable: true },
  );
  const { commandId, model } = command;
  for (const { link, target, id } of links) {
    const { field, keepsLinked } = link;
    await deps.route({
      ...command,
      action: 'link',
      model: target,
      id,
      commandId: commandId === null ? null : `${commandId.slice(0, 200)}/${id}`,
      conditions: {},
      body: {
        field,
        ids: [answer.state.id],
        entityType: model.name,
        side: 'foreign',
        keepsLinked,
        isNew: true,
      },
    });
  }
  return answer;
}

/** The attribute that names records of a link of the other side; undefined for any other link. */
export function foreignIds(model: EntityModel, { name, heldBy }: EntityLink): string | undefined {
  const attribute = `${name}Ids`;
  return heldBy === 'other' && !model.attribute.has(attribute) ? attribute : undefined;
}

async function readNewLinks(
  { actor, model, body }: RoutedCommand,
  { directory, readState }: LinkNewDeps,
): Promise<readonly NewLink[]> {
  const asked = [...linksOf(model, directory.entity).values()].flatMap((link) => {
    const attribute = foreignIds(model, link);
    const target = directory.entity(link.entityType ?? '');
    const id = attribute === undefined ? undefined : readOne(attribute, body[attribute]);
    return id === undefined || target === undefined ? [] : [{ link, target, id }];
  });
  if (asked.length > 0) requireScope(actor, model.name, 'create');
  for (const one of asked) {
    requireLinkable(actor, one, await readState(one.target, one.id));
  }
  return asked;
}

function requireLinkable(
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
