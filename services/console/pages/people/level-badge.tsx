import { Badge } from '@mantine/core';
import { usePageText } from '../../language/page-text.ts';

const colors: Readonly<Record<string, string>> = {
  yes: 'green',
  all: 'green',
  team: 'blue',
  own: 'yellow',
  no: 'gray',
};

const texts = {
  yes: 'people.levelYes',
  all: 'people.levelAll',
  team: 'people.levelTeam',
  own: 'people.levelOwn',
  no: 'people.levelNo',
} as const;

/** Returns the text of a level. Unknown values are returned unchanged. */
export function useLevelText(): (level: string) => string {
  const t = usePageText();
  return (level) => (Object.hasOwn(texts, level) ? t(texts[level as keyof typeof texts]) : level);
}

/** Shows a permission level by colour and text. */
export function LevelBadge({ level }: { readonly level: string }) {
  const textOf = useLevelText();
  return <Badge color={colors[level] ?? 'gray'}>{textOf(level)}</Badge>;
}

export const actions = ['create', 'read', 'edit', 'delete', 'stream'] as const;
export type Action = (typeof actions)[number];

const actionTexts = {
  create: 'people.create',
  read: 'people.read',
  edit: 'people.edit',
  delete: 'people.delete',
  stream: 'people.stream',
} as const;

export function useActionText(): (action: Action) => string {
  const t = usePageText();
  return (action) => t(actionTexts[action]);
}
