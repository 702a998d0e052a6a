import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';

/** Returns true if one of the changed attributes stores ids of a link. Names of linked records do not count. */
export function changesLinks({ attribute }: EntityModel, changed: readonly string[]): boolean {
  return changed.some((name) => attribute.get(name)?.link !== undefined);
}
