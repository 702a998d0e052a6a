import type { EntityModel, FindModel } from '../entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../entity/model/links.ts';
import { type Actor, accessLevel, mayReadField } from './actor.ts';

/**
 * True if the actor may see links with this name. A link stored on the other side requires read access to the records
 * there and to their field.
 */
export function mayReadLink(
  actor: Actor,
  { model, link: name }: { readonly model: EntityModel; readonly link: string },
  findModel: FindModel,
): boolean {
  const link = linksOf(model, findModel).get(name);
  if (link === undefined) return false;
  if (link.heldBy === 'self' && !mayReadField(actor, model, link.field)) return false;
  const field = fieldThere(link);
  if (field === undefined) return true;
  const holder = findModel(link.entityType ?? '');
  if (holder === undefined || accessLevel(actor, holder.name, 'read') === 'no') return false;
  return mayReadField(actor, holder, field);
}

/** Returns the field on the other side that stores the ids. A one-to-one link has a field on both sides. */
function fieldThere({ heldBy, type, field, foreign }: EntityLink): string | undefined {
  if (heldBy === 'other') return field;
  return type === 'hasOne' ? foreign : undefined;
}
