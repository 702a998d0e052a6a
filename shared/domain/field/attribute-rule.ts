import type { FieldProblem } from '../errors.ts';
import type { AttributeValue } from '../record/attribute-values.ts';

/** Which attribute is read; a field's problems are reported under the field's name. */
export interface AttributeRule {
  readonly field: string;
  readonly attribute: string;
}

/** Takes note of a problem. It answers undefined so that a reader can end with it. */
export type Report = (problem: FieldProblem) => undefined;

/** Answers the value to keep; reports what is wrong with it and answers undefined otherwise. */
export type ReadAttribute = (value: unknown, report: Report) => AttributeValue | undefined;

/** `requirement` completes a sentence that begins with the attribute's name: "must be a number". */
export function refuse(
  rule: AttributeRule,
  type: string,
  requirement: string,
  report: Report,
): undefined {
  return report({
    field: rule.field,
    type,
    message: toLatin1(`${rule.attribute} ${requirement}.`),
  });
}

/** Problems also travel in a header; options of custom fields may hold any character. */
function toLatin1(sentence: string): string {
  return sentence.replace(notPrintableLatin1, '?');
}

const notPrintableLatin1 = /[^\x20-\x7e\xa0-\xff]/g;
