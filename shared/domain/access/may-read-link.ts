import type { EntityModel, FindModel } from '../entity/entity-model.ts';
import { linksOf } from '../entity/links.ts';
import { type Actor, accessLevel, mayReadField } from './actor.ts';

/**
 * Whether somebody may know of any link of this name at all. One that stands in the records of the other side can be
 * read by whoever may read them, and the field that holds it.
 */
export function mayReadLink(
  actor: Actor,
  { model, link: name }: { readonly model: EntityModel; readonly link: string },
  findModel: FindModel,
): boolean {
  const link = linksOf(model, findModel).get(name);
  if (link === undefined) return false;
  if (link.heldBy === 'self') return mayReadField(actor, model, link.field);
  const holder = findModel(link.entityType ?? '');
  if (holder === undefined || accessLevel(actor, holder.name, 'read') === 'no') return false;
  return mayReadField(actor, holder, link.field);
}
