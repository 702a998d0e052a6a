interface ChangeOf<Element> {
  readonly currentTarget: Element;
}

/** Returns the properties of a form's inputs. Each input changes one value. */
export function inputsOf<Values extends object>(
  values: Values,
  change: (more: Partial<Values>) => void,
) {
  const set = (name: keyof Values, value: unknown) => change({ [name]: value } as Partial<Values>);
  return {
    text: (name: keyof Values) => ({
      value: String(values[name] ?? ''),
      onChange: ({ currentTarget }: ChangeOf<{ readonly value: string }>) =>
        set(name, currentTarget.value),
    }),
    flag: (name: keyof Values) => ({
      checked: values[name] === true,
      onChange: ({ currentTarget }: ChangeOf<{ readonly checked: boolean }>) =>
        set(name, currentTarget.checked),
    }),
  };
}
