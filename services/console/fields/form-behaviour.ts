import { useHotkeys } from '@mantine/hooks';
import { type RefObject, useEffect, useState } from 'react';
import { problemsIn } from '../api/errors.ts';
import type { Entity } from '../api/metadata.ts';
import { attributesOf } from './field-types.ts';

type Form = RefObject<HTMLFormElement | null>;

/** Returns the validation messages of an error without those of fields that have changed since then. */
export function useProblems(error: unknown) {
  const [{ of, cleared }, set] = useState<{
    readonly of: unknown;
    readonly cleared: readonly string[];
  }>({ of: error, cleared: [] });
  const current = of === error ? cleared : [];
  const problems = new Map(problemsIn(error));
  for (const field of current) problems.delete(field);
  return {
    problems,
    clear(fields: readonly string[]): void {
      if (fields.some((field) => problems.has(field))) {
        set({ of: error, cleared: [...current, ...fields] });
      }
    },
  };
}

/** Returns the fields to which the attributes belong. */
export function fieldsWith(entity: Entity, attributes: readonly string[]): readonly string[] {
  return Object.keys(entity.fields).filter((name) =>
    [...attributesOf(entity, name), name, `${name}Data`].some((one) => attributes.includes(one)),
  );
}

/** Submits the form with Ctrl-S or Command-S, unless a dialog is open. */
export function useSaveKey(form: Form, isSaving: boolean): void {
  useHotkeys(
    [
      [
        'mod+S',
        () => {
          const isCovered = document.querySelector('[role="dialog"]') !== null;
          if (!isSaving && !isCovered) form.current?.requestSubmit();
        },
      ],
    ],
    [],
    true,
  );
}

/** Moves the focus to the first field with a validation error. */
export function useFocusOnProblem(form: Form, error: unknown): void {
  useEffect(() => {
    if (problemsIn(error).size === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, error]);
}
