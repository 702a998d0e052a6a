import { type Actor, mayEditField, requireScope } from '../../../shared/domain/access/actor.ts';
import { hasRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, foreignIds, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isId } from '../../../shared/domain/field/types/link/read-link.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { CommandContext } from '../context.ts';
import type { Command } from '../owner/command.ts';
import { keyOfStep } from '../owner/hash-request.ts';
import {
  cannotLinkAlreadyLinked,
  cannotRelateNonExisting,
  noLinkAccess,
} from './input/link-refusals.ts';
import { linkCommand } from './link.ts';
import type { LinkChange } from './links/change-links.ts';

/** An existing record that stores the link to the new record. */
export interface ForeignLink {
  readonly link: EntityLink;
  readonly target: EntityModel;
  readonly id: string;
}

/** Links existing records with the new record. The existing records store the links. */
export async function linkForeign(
  command: Command,
  { links, newId }: { readonly links: readonly ForeignLink[]; readonly newId: string },
  { sender }: CommandContext,
): Promise<void> {
  for (const link of links) await sender.send(linkCommand, linking(command, link, newId));
}

function linking(
  command: Command,
  { link, target, id }: ForeignLink,
  newId: string,
): Command<LinkChange> {
  const { field, name, keepsLinked } = link;
  const linked = { field, ids: [newId], entityType: command.model.name };
  return {
    ...command,
    model: target,
    id,
    commandId: keyOfStep(command.commandId, `${name}/${id}`),
    conditions: {},
    body: { ...linked, side: 'foreign', keepsLinked, isNew: true },
  };
}

/**
 * Returns the records from those links in a body that the other side stores, such as `contactsIds` of an account
 * (docs/reference/espocrm-compatibility.md#links-of-the-other-side). Rejects more than one id for a link.
 */
export function foreignLinksIn(
  { model, body }: Command,
  findModel: FindModel,
): readonly ForeignLink[] {
  // Fast path: few bodies contain such links.
  const isForeign = (name: string) => name.endsWith('Ids') && !model.attribute.has(name);
  if (!Object.keys(body).some(isForeign)) return [];
  return [...linksOf(model, findModel).values()].flatMap((link) => {
    const attribute = foreignIds(model, link);
    const target = findModel(link.entityType ?? '');
    const id = attribute === undefined ? undefined : readOne(attribute, body[attribute]);
    return id === undefined || target === undefined ? [] : [{ link, target, id }];
  });
}

/** Rejects links that could not be created once the new record exists. */
export async function requireLinkable(
  { actor, model }: Command,
  links: readonly ForeignLink[],
  { readState }: CommandContext,
): Promise<void> {
  requireScope(actor, model.name, 'create');
  for (const one of links) requireFree(actor, one, await readState(one.target, one.id));
}

function requireFree(
  actor: Actor,
  { link, target }: ForeignLink,
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
    throw new Refusal('invalid', 'link.ids', `${attribute} must be a list of ids.`);
  }
  const [first, ...others] = new Set(ids.map(String));
  if (others.length === 0) return first;
  const message = `${attribute}: a new record can be linked with only one record.`;
  throw new Refusal('forbidden', 'link.several', message);
}
