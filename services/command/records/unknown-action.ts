import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';

export function unknownAction({ name }: EntityModel, action: string): Refusal {
  return new Refusal(
    'not_found',
    'action.unknown',
    `Action POST '${printable(action)}' does not exist in ${name}.`,
  );
}
