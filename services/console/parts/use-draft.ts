import { type ChangeEvent, useState } from 'react';

type FieldEvent = ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;

/** The changed values of a form, and the properties of its inputs by the name of their value. */
export function useDraft<Values extends object>(initial: Values) {
  const [changed, setChanged] = useState<Partial<Values>>({});
  const values: Values = { ...initial, ...changed };
  const change = (more: Partial<Values>) => setChanged((before) => ({ ...before, ...more }));
  return { values, changed, change, reset: setChanged, ...inputsOf(values, change) };
}

/** Returns the properties of inputs that change one value each. */
export function inputsOf<Values extends object>(
  values: Values,
  change: (more: Partial<Values>) => void,
) {
  return {
    /** For inputs and selects of texts. */
    text: (name: keyof Values) => ({
      value: String(values[name] ?? ''),
      onChange: ({ currentTarget }: FieldEvent) =>
        change({ [name]: currentTarget.value } as Partial<Values>),
    }),
    flag: (name: keyof Values) => ({
      checked: values[name] === true,
      onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
        change({ [name]: currentTarget.checked } as Partial<Values>),
    }),
  };
}
