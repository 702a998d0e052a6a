import { requireAssignable } from '../../../../shared/domain/access/assignment.ts';
import { requireRecordAccess } from '../../../../shared/domain/access/record-access.ts';
import type { FieldProblem } from '../../../../shared/domain/errors.ts';
import {
  convertAmounts,
  findUnknownCurrencies,
} from '../../../../shared/domain/input/convert-amounts.ts';
import { deriveValues } from '../../../../shared/domain/input/derive-values.ts';
import { joinProblems } from '../../../../shared/domain/input/join-problems.ts';
import type { Conditions } from '../../../../shared/domain/record/conditions.ts';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../../context.ts';
import type { Acting } from '../../owner/command.ts';
import { refuseProblems } from './refuse-problems.ts';
import { requireConditions } from './require-conditions.ts';
import { type ResolvedLinks, requireReadableLinks } from './resolve-links.ts';

/** An update, as read before the record's state is known. */
export interface Update extends Acting {
  readonly conditions: Conditions;
  readonly values: AttributeValues;
  readonly problems: readonly FieldProblem[];
  readonly links: ResolvedLinks;
}

/** Returns the new values from an update, without derived values. Rejects forbidden and invalid changes. */
export function deriveUpdate(
  current: RecordState,
  { actor, model, conditions, values, problems, links }: Update,
  { teamsOf, currencies }: Pick<CommandContext, 'teamsOf' | 'currencies'>,
): AttributeValues {
  requireRecordAccess(actor, 'edit', { ...current, model });
  requireConditions(current, { actor, model, conditions, values });
  const completed = deriveValues(model, current.values, values);
  const unknown = findUnknownCurrencies(model, values, currencies());
  refuseProblems(model, joinProblems(model, [...problems, ...unknown], completed.problems));
  requireAssignable(actor, { model, values, current: current.values }, teamsOf);
  requireReadableLinks(links, current.values);
  const after = { ...completed.values, ...links.values };
  return convertAmounts(model, { after, current: current.values }, currencies());
}
