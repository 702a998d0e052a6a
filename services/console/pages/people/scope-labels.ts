import { useMetadata } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';

/** How what roles grant is called: entity types by their labels, all others by their names. */
export function useScopeLabel(): (scope: string) => string {
  const metadata = useMetadata();
  return (scope) => metadata.get(scope)?.label ?? toWords(scope);
}

/** `GlobalStream` → `Global Stream`. */
function toWords(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
}

export const actions = ['create', 'read', 'edit', 'delete', 'stream'] as const;
export type Action = (typeof actions)[number];

const texts = {
  create: 'people.create',
  read: 'people.read',
  edit: 'people.edit',
  delete: 'people.delete',
  stream: 'people.stream',
} as const;

export function useActionText(): (action: Action) => string {
  const t = useText();
  return (action) => t(texts[action]);
}
