import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';

/** Whether changes of these attributes change the links of the record. The names beside the ids do not count. */
export function changesLinks({ attribute }: EntityModel, changed: readonly string[]): boolean {
  return changed.some((name) => attribute.get(name)?.link !== undefined);
}
