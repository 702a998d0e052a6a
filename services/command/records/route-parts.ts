import { written } from '../../../shared/http/describe/error-lists.ts';
import type { ParameterName } from '../../../shared/http/describe/parameters.ts';

export const writeParameters: readonly ParameterName[] = ['Idempotency-Key', 'Prefer'];

export const errorsOfRemove = [...written, 'record.not_found', 'record.version_differs'] as const;

export const errorsOfNamed = ['action.unknown', 'body.value_missing', 'entity.unknown'] as const;
