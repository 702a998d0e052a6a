import {
  type Actor,
  closedFields,
  mayEditField,
  mayReadAttribute,
} from '../../../../shared/domain/access/actor.ts';
import {
  defaultAssignment,
  requireAssignable,
  type TeamsOf,
} from '../../../../shared/domain/access/assignment.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { type FieldProblem, Refusal } from '../../../../shared/domain/errors.ts';
import type { Attribute } from '../../../../shared/domain/field/attribute.ts';
import {
  convertAmounts,
  findUnknownCurrencies,
} from '../../../../shared/domain/input/convert-amounts.ts';
import type { CurrencyRates } from '../../../../shared/domain/input/currency-rates.ts';
import { deriveValues } from '../../../../shared/domain/input/derive-values.ts';
import { joinProblems } from '../../../../shared/domain/input/join-problems.ts';
import { readInput } from '../../../../shared/domain/input/read-input.ts';
import type { Conditions } from '../../../../shared/domain/record/conditions.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import type { Acting } from '../../owner/command.ts';
import { refuseProblems } from './refuse-problems.ts';
import { type ResolveLinks, requireReadableLinks } from './resolve-links.ts';

/** Functions that read the records and rates that a request's values refer to. */
export interface ValueReads {
  /** Returns the current exchange rates. */
  readonly currencies: () => CurrencyRates;
  readonly teamsOf: TeamsOf;
  readonly resolveLinks: ResolveLinks;
}

type Body = Readonly<Record<string, unknown>>;

/** The body of a client's request for one record. */
export interface Input extends Acting {
  readonly body: Body;
  readonly conditions?: Conditions;
}

/**
 * Returns the initial values of a new record, without derived values. Rejects invalid values, values that the actor may
 * not set, and links to records that the actor may not read.
 */
export async function readNewValues(
  creation: Input,
  context: ValueReads,
): Promise<AttributeValues> {
  const { actor, model } = creation;
  const input = readNewInput(creation, context);
  const links = await context.resolveLinks({ model, values: input, actor });
  requireReadableLinks(links, undefined);
  const after = { ...input, ...links.values };
  return convertAmounts(model, { after, current: null }, context.currencies());
}

/** Like readNewValues, but without linked names and converted amounts, which come from other records. */
export function readNewInput(
  { actor, model, body, conditions }: Input,
  { currencies, teamsOf }: ValueReads,
): AttributeValues {
  const input = readInput(model, editable(actor, model, body), 'create');
  const mayAssign = mayEditField(actor, model, 'assignedUser');
  const given = {
    ...input.values,
    ...defaultAssignment(actor, { model, values: input.values }, mayAssign),
  };
  const completed = deriveValues(model, null, given);
  const unknown = findUnknownCurrencies(model, given, currencies());
  const problems = joinProblems(model, [...input.problems, ...unknown], completed.problems);
  refuseProblems(model, withoutAllowed(problems, conditions));
  requireAssignable(actor, { model, values: given, current: undefined }, teamsOf);
  return completed.values;
}

/** Drops the problems that the conditions of a creation allow. */
export function withoutAllowed(
  problems: readonly FieldProblem[],
  conditions: Conditions | undefined,
): readonly FieldProblem[] {
  if (conditions?.allowsMissingFields !== true) return problems;
  return problems.filter(({ type }) => type !== 'required');
}

/** Silently drops fields that the actor may not edit (docs/reference/access.md). */
export function editable(actor: Actor, model: EntityModel, body: Body): Body {
  const { edit } = closedFields(actor, model);
  if (edit.size === 0) return body;
  return onlyThose(model, body, (attribute) => !edit.has(attribute?.field ?? ''));
}

/**
 * Rejects an update with fields that do not exist or that the actor may not edit. Used for commands that must not
 * ignore any field.
 */
export function requireOpenFields({ actor, model, body, conditions }: Input): void {
  if (conditions?.refusesClosed !== true) return;
  const closed = Object.keys(body).find((name) => {
    const attribute = model.attribute.get(name);
    return attribute?.writable !== true || !mayEditField(actor, model, attribute.field);
  });
  if (closed !== undefined) throw fieldClosed(closed);
}

export function fieldClosed(field: string): Refusal {
  return new Refusal('forbidden', 'access.denied', `You may not edit ${field}.`);
}

/** Drops fields that the actor may not read. */
export function readable(
  actor: Actor,
  model: EntityModel,
  values: AttributeValues,
): AttributeValues {
  return onlyThose(
    model,
    values,
    (attribute) => attribute === undefined || mayReadAttribute(actor, model, attribute),
  );
}

function onlyThose<Value>(
  model: EntityModel,
  values: Readonly<Record<string, Value>>,
  isOpen: (attribute: Attribute | undefined) => boolean,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => isOpen(model.attribute.get(name))),
  );
}
