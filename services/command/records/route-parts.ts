import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import type { ParameterName } from '../../../shared/http/describe/parameters.ts';

export const writeParameters: readonly ParameterName[] = ['Idempotency-Key', 'Prefer'];

export const errorsOfRemove = [
  ...written,
  'record.not_found',
  'record.version_differs',
  'write.unread',
] as const;

export const errorsOfNamed = ['action.unknown', 'body.value_missing', 'entity.unknown'] as const;

export function unknownAction({ name }: EntityModel, action: string): Refusal {
  return new Refusal(
    'not_found',
    'action.unknown',
    `Action POST '${printable(action)}' does not exist in ${name}.`,
  );
}
