import type { StreamItem } from '../../../api/stream.ts';
import { RecordLink } from '../../../fields/record-link.tsx';
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

/** A character that no name contains. */
const placeOfName = '\u{FFFF}';

/** Says in one sentence what happened, with a link to the record that was linked. */
export function Headline({ item }: { readonly item: StreamItem }) {
  const t = useText();
  const { data, relatedType, relatedId, relatedName } = item;
  const by = item.createdByName ?? t('stream.someone');
  if (item.type === 'Assign' && !data['assignedUserId']) return t('stream.unassigned', { by });
  const related = Array.isArray(data['relatedIds']) ? data['relatedIds'].length : 1;
  const isOne = Boolean(relatedType && relatedId && relatedName);
  const text = t(headlines[item.type], {
    by,
    to: String(data['assignedUserName'] ?? ''),
    name: isOne ? placeOfName : t('stream.others', { count: related }),
  });
  if (!isOne) return text;
  const [before, after] = text.split(placeOfName);
  return (
    <>
      {before}
      <RecordLink
        entity={relatedType}
        id={String(relatedId)}
        name={relatedName}
        underline="always"
      />
      {after}
    </>
  );
}
