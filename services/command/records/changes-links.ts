import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';

/** Whether changes of these attributes change what the record is linked with (api-facts 3.3): names only stand beside it. */
export function changesLinks({ attribute }: EntityModel, changed: readonly string[]): boolean {
  return changed.some((name) => attribute.get(name)?.link !== undefined);
}
