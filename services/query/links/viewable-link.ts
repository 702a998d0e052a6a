import { mayReadLink } from '../../../shared/domain/access/may-read-link.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Reader } from '../../../shared/search/record-view.ts';

/** Returns a link whose field the actor may read, and its target. Throws a refusal for any other link. */
export function viewableLink(
  { link: name, ...reader }: Reader & { readonly link: string },
  findModel: FindModel,
): { readonly link: EntityLink; readonly target: EntityModel } {
  const link = linksOf(reader.model, findModel).get(name);
  const target = link?.entityType === undefined ? undefined : findModel(link.entityType);
  if (link === undefined || target === undefined) {
    throw new Refusal('not_found', 'link.unknown', 'Link does not exist.');
  }
  if (!mayViewLink(reader, link, findModel)) {
    throw new Refusal('forbidden', 'access.denied', 'No read access.');
  }
  return { link, target };
}

/** Returns whether the actor may read the field that holds a link. */
export function mayViewLink(
  { actor, model, view }: Reader,
  { name, heldBy }: EntityLink,
  findModel: FindModel,
): boolean {
  const isClosed =
    heldBy === 'self' &&
    model.columns.some(
      (attribute) =>
        attribute.field === name && attribute.link !== 'columns' && !view.isVisible(attribute),
    );
  return !isClosed && mayReadLink(actor, { model, link: name }, findModel);
}
