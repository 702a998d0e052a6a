import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';
import { isToldByHistory, makerOf } from '../search/history/past-values.ts';
import type { ItemContext } from './to-stream-items.ts';

/** What a reader may see of the events of records of one type: the same as in their history. */
export function contextFor(
  directory: Directory,
  {
    actor,
    model,
    view,
  }: { readonly actor: Actor; readonly model: EntityModel; readonly view: RecordView },
): Omit<ItemContext, 'recordName'> {
  return {
    model,
    shown(name) {
      const attribute = model.attribute.get(name);
      if (attribute === undefined || !view.isTold(attribute)) return undefined;
      return isToldByHistory(attribute, directory.entity) ? attribute : undefined;
    },
    madeBy: (event) => makerOf(event, { actor, model }),
    userName: (id) => namesIn(directory)('User', id) ?? null,
    isRelated: (entityType) => directory.entity(entityType)?.definition.log === 'records',
  };
}
