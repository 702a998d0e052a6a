import { fieldNameOf } from '../../api/labels.ts';
import { useMetadata } from '../../api/metadata.ts';

/**
 * Returns a function that returns the labels of the fields to which attributes belong, each once. Empty for internal
 * entity types, whose attributes have no labels.
 */
export function useChangedLabels(): (
  entityType: string,
  attributes: readonly string[],
) => readonly string[] {
  const metadata = useMetadata();
  return (entityType, attributes) => {
    const entity = metadata.get(entityType);
    if (entity === undefined) return [];
    const labels = attributes.map(
      (name) => entity.ownLabelOf(name) ?? entity.labelOf(fieldNameOf(name)),
    );
    return [...new Set(labels)];
  };
}
