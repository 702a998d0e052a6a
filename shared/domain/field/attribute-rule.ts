import type { FieldProblem } from '../errors.ts';
import type { AttributeValue } from '../value/attribute-values.ts';

/** Which attribute is read. Problems are reported under the name of its field. */
export interface AttributeRule {
  readonly field: string;
  readonly attribute: string;
}

/** Reports a problem. Returns undefined, so that a reader can end with it. */
export type Report = (problem: FieldProblem) => undefined;

/** The value to keep, null where it is empty; undefined if it is refused, of which a problem was reported. */
export type Kept<Value> = Value | null | undefined;

/** Returns the value to keep, or reports what is wrong with it and returns undefined. */
export type ReadAttribute = (value: unknown, report: Report) => Kept<AttributeValue>;

/** Reads a value by a rule, in the same way. */
export type ReadBy<Rule extends AttributeRule, Value> = (
  rule: Rule,
  value: unknown,
  report: Report,
) => Value | undefined;

/** `requirement` completes a sentence that begins with the attribute's name: "must be a number". */
export function refuse(
  rule: AttributeRule,
  type: string,
  requirement: string,
  report: Report,
): undefined {
  const message = `${rule.attribute} ${requirement}.`.replace(notPrintableLatin1, '?');
  return report({ field: rule.field, type, message });
}

/** Problems also travel in a header, and options of custom fields may have any character. */
const notPrintableLatin1 = /[^\x20-\x7e\xa0-\xff]/g;
