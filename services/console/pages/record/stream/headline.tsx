import type { StreamItem } from '../../../api/stream.ts';
import { useText } from '../../../language/language.tsx';

const headlines = {
  Post: 'stream.posted',
  Create: 'stream.created',
  CreateRelated: 'stream.createdRelated',
  Update: 'stream.updated',
  Assign: 'stream.assigned',
  Relate: 'stream.related',
  Unrelate: 'stream.unrelated',
} as const;

/** Says in one sentence what happened. */
export function Headline({ item }: { readonly item: StreamItem }) {
  const t = useText();
  const { data } = item;
  const by = item.createdByName ?? t('stream.someone');
  if (item.type === 'Assign' && !data['assignedUserId']) return t('stream.unassigned', { by });
  const related = Array.isArray(data['relatedIds']) ? data['relatedIds'].length : 1;
  return t(headlines[item.type], {
    by,
    to: String(data['assignedUserName'] ?? ''),
    name: item.relatedName ?? t('stream.others', { count: related }),
  });
}
