import { counted } from '../counted.ts';
import type { FieldProblem, ValueForm } from '../errors.ts';
import type { AttributeValue } from '../value/attribute-values.ts';

/** Identifies the attribute being read. Problems are reported under the name of its field. */
export interface AttributeRule {
  readonly field: string;
  readonly attribute: string;
}

/** Reports a problem. Returns undefined, so that a reader can return the call's result. */
export type Report = (problem: FieldProblem) => undefined;

/** The value to store, null if empty; undefined if the value was rejected and a problem was reported. */
export type Kept<Value> = Value | null | undefined;

/** Returns the value to store, or reports a problem and returns undefined. */
export type ReadAttribute = (value: unknown, report: Report) => Kept<AttributeValue>;

/** Like `ReadAttribute`, for a value that is read by a rule. */
export type ReadBy<Rule extends AttributeRule, Value> = (
  rule: Rule,
  value: unknown,
  report: Report,
) => Value | undefined;

/**
 * The problem with a value. `requirement` completes a sentence that starts with the attribute's name: "must be a
 * number".
 */
export interface Fault extends Pick<FieldProblem, 'type' | 'parameters'> {
  readonly requirement: string;
}

/** The fault of a value that does not have the form that the attribute requires. */
export function invalid(form: ValueForm, requirement: string): Fault {
  return { type: 'valid', requirement, parameters: { form } };
}

export function tooMany(maxCount: number, noun: string): Fault {
  const requirement = `must have at most ${counted(maxCount, noun)}`;
  return { type: 'maxCount', requirement, parameters: { maxCount } };
}

export function refuse(
  { field, attribute }: AttributeRule,
  { requirement, ...fault }: Fault,
  report: Report,
): undefined {
  const message = `${attribute} ${requirement}.`.replace(notPrintableLatin1, '?');
  return report({ field, attribute, ...fault, message });
}

/** Problems are also sent in a header, but options of custom fields may contain any character. */
const notPrintableLatin1 = /[^\x20-\x7e\xa0-\xff]/g;
