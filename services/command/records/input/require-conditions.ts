import { hasRecordAccess } from '../../../../shared/domain/access/record-access.ts';
import {
  type Conditions,
  requireMatch,
  requireUnmodified,
} from '../../../../shared/domain/record/conditions.ts';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import type { Acting } from '../../owner/command.ts';
import { readable } from './read-values.ts';

interface Conditional extends Acting {
  readonly conditions: Conditions;
  /** The values that an update sets. */
  readonly values?: AttributeValues;
}

/**
 * Rejects a change if the record does not have the client's expected version. The refusal contains only fields that the
 * actor may read.
 */
export function requireConditions(
  current: RecordState,
  { actor, model, conditions, values }: Conditional,
): void {
  const isReadable = hasRecordAccess(actor, 'read', { ...current, model });
  requireMatch(current, conditions, { isReadable });
  if (values === undefined) return;
  requireUnmodified(current, conditions, readable(actor, model, values), { isReadable });
}
