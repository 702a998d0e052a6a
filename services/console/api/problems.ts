import { problemText } from '../language/error-text.ts';
import { useText } from '../language/language.tsx';
import { ApiError } from './errors.ts';
import { toWords } from './labels.ts';
import type { Entity } from './metadata.ts';

/** Returns a text for each failed validation in the error, by field; empty for other errors. */
export function useProblems(
  entity: Entity | undefined,
  error: unknown,
): ReadonlyMap<string, string> {
  const t = useText();
  const problems = error instanceof ApiError ? error.fields : [];
  return new Map(
    problems.map((problem) => {
      const { field, attribute = field } = problem;
      const label = entity?.ownLabelOf(attribute) ?? entity?.labelOf(field) ?? toWords(field);
      return [field, problemText(problem, label, t)];
    }),
  );
}
