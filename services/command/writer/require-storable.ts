import { findRowExcess } from '../../../shared/db/table-limits.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type FieldProblem, validationFailure } from '../../../shared/domain/errors.ts';
import { isStorable, storableForms } from '../../../shared/domain/field/is-storable.ts';
import { MAX_ID_LENGTH } from '../../../shared/domain/field/types/link/read-link.ts';
import type { Change } from '../../../shared/domain/record/record-event.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';

/**
 * Rejects a change that a row of the read model cannot store. Input is validated earlier, but values can also be
 * derived, copied, merged or converted. Every event passes this check, so the projector can store all events.
 */
export function requireStorable(
  model: EntityModel,
  changes: readonly Change[],
  after: AttributeValues,
): void {
  const [first, ...others] = changes.flatMap((change) => problemOf(model, change));
  if (first !== undefined) throw validationFailure(model.name, [first, ...others]);
  const changed = changes.find((change) => change.after !== null);
  const excess = changed && findRowExcess(model, after);
  if (changed === undefined || excess === undefined) return;
  const field = model.attribute.get(changed.attribute)?.field ?? changed.attribute;
  throw validationFailure(model.name, [{ field, type: 'rowSize', message: excess }]);
}

function problemOf(model: EntityModel, { attribute: name, after }: Change): FieldProblem | [] {
  const attribute = model.attribute.get(name);
  if (attribute?.stored !== true) return [];
  const { field, kind, link } = attribute;
  if (!isStorable(kind, after)) {
    const type = kind === 'int' ? 'rangeInternal' : 'valid';
    return { field, type, message: `${name} must be ${storableForms[kind]}.` };
  }
  // Ids are indexed, and an index entry can be at most 2,704 bytes long.
  const isLong = (link === 'id' || link === 'ids') && [after].flat().some(isLongId);
  return isLong ? { field, type: 'pattern', message: `${name} must be the id of a record.` } : [];
}

function isLongId(id: unknown): boolean {
  return typeof id === 'string' && id.length > MAX_ID_LENGTH;
}
