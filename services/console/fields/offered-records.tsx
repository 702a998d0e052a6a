import { Box, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type Entity, useMetadata } from '../api/metadata.ts';
import { type AnyRecord, offeredQuery } from '../api/records.ts';
import { useText } from '../language/language.tsx';

interface Option {
  readonly value: string;
  readonly label: string;
  /** Distinguishes records with the same name. */
  readonly hint?: string;
}

const waitMs = 250;

/**
 * Returns the records that match the typed text, and those already chosen. Nothing is loaded until the input has the
 * focus. The first match of a text is selected, so that Enter picks it. A text that is still in the input when it loses
 * the focus is not a record: it is kept with an error, and the form is not submitted.
 */
export function useOfferedRecords(entity: string, chosen: readonly Option[], initialText: string) {
  const t = useText();
  const model = useMetadata().get(entity);
  const input = useRef<HTMLInputElement>(null);
  const accepted = useRef('');
  const [isActive, setActive] = useState(false);
  const [isUnknown, setUnknown] = useState(false);
  const [typed, setTyped] = useState(initialText);
  const [settled] = useDebouncedValue(typed.trim(), waitMs);
  const isChosen = chosen.some(({ label }) => label === settled);
  const { data, isFetching } = useQuery({
    ...offeredQuery(entity, isChosen ? '' : settled, hintsOf(model)),
    placeholderData: keepPreviousData,
    enabled: isActive && entity !== '',
  });
  useUnsubmitted(input, isUnknown);
  const found = (data ?? []).map((record) => toOption(record, model));
  const others = chosen.filter(({ value }) => !found.some((one) => one.value === value));
  // The chosen records are last: the first option has to be the first match.
  const options = [...found, ...others];
  const needsChoice = (text: string): boolean =>
    text !== '' &&
    text !== accepted.current &&
    chosen.every(({ value }) => labelOf(options, value) !== text);
  const haveMatchesArrived = useOnset(
    settled === typed.trim() && !isFetching && found.length > 0 && needsChoice(settled),
  );
  const leave = ({ currentTarget }: FocusEvent<HTMLInputElement>): void => {
    const text = currentTarget.value.trim();
    if (!needsChoice(text)) return;
    // The input has already replaced the text.
    setTyped(text);
    setUnknown(true);
  };
  return {
    options,
    isFetching,
    isLoaded: data !== undefined,
    error: isUnknown ? t('forms.chooseRecord') : undefined,
    /** Called with the label of the record that was picked. */
    accept(label: string): void {
      accepted.current = label;
      setUnknown(false);
    },
    inputProps: {
      ref: input,
      selectFirstOptionOnChange: haveMatchesArrived,
      // A text that is not a record yet does not submit the form.
      onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
        if (event.key === 'Enter' && needsChoice(typed.trim())) event.preventDefault();
      },
      searchValue: typed,
      onSearchChange(text: string): void {
        setTyped(text);
        setUnknown(false);
      },
      onFocus: () => setActive(true),
      onBlur: leave,
    },
  };
}

/**
 * Returns true only for the render in which the condition becomes true. Selecting the first option later as well would
 * select a match of the previous text after each key.
 */
function useOnset(isTrue: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(false);
  useEffect(() => setWasTrue(isTrue), [isTrue]);
  return isTrue && !wasTrue;
}

/** Keeps the form of an input from being submitted while the input has an unknown text. */
function useUnsubmitted(
  input: { readonly current: HTMLInputElement | null },
  isUnknown: boolean,
): void {
  useEffect(() => {
    const form = input.current?.form;
    if (!isUnknown || !form) return;
    const stop = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
      input.current?.focus();
    };
    // React handles the event further up.
    form.addEventListener('submit', stop);
    return () => form.removeEventListener('submit', stop);
  }, [input, isUnknown]);
}

function labelOf(options: readonly Option[], id: string): string {
  return options.find(({ value }) => value === id)?.label ?? id;
}

/** Returns the attributes that distinguish records with the same name, in the order of preference. */
function hintsOf(model: Entity | undefined): readonly string[] {
  if (model === undefined) return [];
  const { fields, scope } = model;
  return [
    ...('account' in fields ? ['accountName'] : []),
    ...['emailAddress', 'userName', scope.statusField ?? ''].filter((name) => name in fields),
  ];
}

function toOption(record: AnyRecord, model: Entity | undefined): Option {
  const { id, name } = record;
  const label = typeof name === 'string' && name !== '' ? name : id;
  const attribute = hintsOf(model).find((one) => isText(record[one]));
  if (model === undefined || attribute === undefined) return { value: id, label };
  const hint = model.optionOf(attribute, String(record[attribute]));
  return hint === label ? { value: id, label } : { value: id, label, hint };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** An option with a second line. */
export function RecordOption({
  value,
  label,
  options,
}: {
  readonly value: string;
  readonly label: string;
  readonly options: readonly Option[];
}) {
  const hint = options.find((one) => one.value === value)?.hint;
  return (
    <Box>
      {label}
      {hint === undefined ? null : (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Box>
  );
}
