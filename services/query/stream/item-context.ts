import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import { eventViewOf } from '../search/history/past-values.ts';
import type { ItemContext } from './to-stream-items.ts';

/** What a reader may see of the events of records of one type: the same as in their history. */
export function contextFor(directory: Directory, reader: Reader): Omit<ItemContext, 'recordName'> {
  return {
    ...eventViewOf(directory, reader),
    model: reader.model,
    isRelated: (entityType) => directory.entity(entityType)?.definition.log === 'records',
  };
}
