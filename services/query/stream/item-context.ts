import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Reader, RecordView } from '../../../shared/search/record-view.ts';
import { eventViewOf } from '../history/past-values.ts';
import type { ItemContext } from './to-stream-items.ts';

/** Returns the parts of events of one entity type that a reader may see, which are the same as in their history. */
export function contextFor(directory: Directory, reader: Reader): Omit<ItemContext, 'recordName'> {
  return {
    ...eventViewOf(directory, reader),
    model: reader.model,
    isRelated: (entityType) => directory.entity(entityType)?.definition.log === 'records',
  };
}

/** Returns SQL for the name of a record; null if the actor may not read the name. */
export function nameColumn(model: EntityModel, view: RecordView, alias: string): string {
  const isShown = model.attribute.get('name')?.stored === true && view.named(model, alias) !== null;
  return isShown ? `${alias}.name` : 'null::text';
}
