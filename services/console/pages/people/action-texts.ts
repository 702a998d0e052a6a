import { useText } from '../../language/language.tsx';

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
