import { useLoggedPartLabel } from './logged-type.ts';

/** Returns a function that returns the labels of the fields to which attributes belong, each once. */
export function useChangedLabels(): (
  entityType: string,
  attributes: readonly string[],
) => readonly string[] {
  const labelOf = useLoggedPartLabel();
  return (entityType, attributes) => [
    ...new Set(attributes.map((attribute) => labelOf(entityType, attribute))),
  ];
}
