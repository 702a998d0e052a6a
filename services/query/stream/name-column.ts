import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';

/** SQL for the name of a record; null where the actor may not read it. */
export function nameColumn(model: EntityModel, view: RecordView, alias: string): string {
  const isShown = model.attribute.get('name')?.stored === true && view.named(model, alias) !== null;
  return isShown ? `${alias}.name` : 'null::text';
}
