import { mayReadLink } from '../../../shared/domain/access/may-read-link.ts';
import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type Reader, viewFor } from '../../../shared/search/record-view.ts';
import type { QueryContext } from '../context.ts';
import { type RecordQuery, readVersion } from '../rows/require-readable.ts';

/**
 * Returns the search for a record's linked records, the actor's view of them, and the record's version. Rejects the
 * request unless the actor may read the record, the field that stores the link, and the other entity type.
 */
export async function openLink(context: QueryContext, name: string, query: RecordQuery) {
  const { entity: findModel } = context.directory;
  const { actor, model: holder, id } = query;
  const link = linksOf(holder, findModel).get(name);
  const model = link?.entityType === undefined ? undefined : findModel(link.entityType);
  if (link === undefined || model === undefined) {
    throw new Refusal('not_found', 'link.unknown', 'Link does not exist.');
  }
  if (!mayViewLink(query, link, findModel)) {
    throw new Refusal('forbidden', 'access.denied', 'No read access.');
  }
  const version = await readVersion(context, query);
  const view = viewFor(actor, model, findModel);
  return { actor, model, view, version, linkedWith: { link, model: holder, id } };
}

/** Returns whether the actor may read the field that stores a link. */
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
