import { useHotkeys } from '@mantine/hooks';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Entity } from '../api/metadata.ts';
import { attributesOf } from './field-types.ts';

type Form = RefObject<HTMLFormElement | null>;

type Problems = ReadonlyMap<string, string>;

/** Returns the validation messages by field, without those of fields that have changed since the last response. */
export function useOpenProblems(error: unknown, all: Problems) {
  const [{ of, cleared }, set] = useState<{
    readonly of: unknown;
    readonly cleared: readonly string[];
  }>({ of: error, cleared: [] });
  const current = of === error ? cleared : [];
  const problems = new Map([...all].filter(([field]) => !current.includes(field)));
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
    [...attributesOf(entity, name), name].some((one) => attributes.includes(one)),
  );
}

/** Submits the form with Ctrl-S or Command-S, unless another dialog is open. */
export function useSaveKey(form: Form, isSaving: boolean): void {
  useHotkeys(
    [
      [
        'mod+S',
        () => {
          const { current } = form;
          const dialogs = [...document.querySelectorAll('[role="dialog"]')];
          const isCovered = dialogs.some((dialog) => !dialog.contains(current));
          if (!isSaving && !isCovered && current !== null) submit(current);
        },
      ],
    ],
    [],
    true,
  );
}

/**
 * Submits the form with the text being typed. Some inputs, such as lists of texts, accept it only when they lose the
 * focus.
 */
function submit(form: HTMLFormElement): void {
  const { activeElement: focused } = document;
  if (!(focused instanceof HTMLElement) || !form.contains(focused)) {
    form.requestSubmit();
    return;
  }
  flushSync(() => focused.blur());
  form.requestSubmit();
  focused.focus();
}

const texts = 'input:not([type=hidden], [type=checkbox]), textarea';

/** Moves the focus to the first text input, except on touch screens, whose keyboard would cover the form. */
export function useFocusOnOpen(form: Form): void {
  useEffect(() => {
    if (!window.matchMedia('(hover: hover)').matches) return;
    form.current?.querySelector<HTMLElement>(texts)?.focus({ preventScroll: true });
  }, [form]);
}

/** Moves the focus to the first field with a validation error. */
export function useFocusOnProblem(form: Form, error: unknown, hasProblems: boolean): void {
  // The focus stays where it is when a problem is cleared.
  const found = useRef(hasProblems);
  found.current = hasProblems;
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves the focus once for each error
  useEffect(() => {
    if (!found.current) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, error]);
}
