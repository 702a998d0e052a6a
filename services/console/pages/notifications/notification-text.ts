import type { Notification } from '../../api/notifications.ts';
import type { useText } from '../../language/language.tsx';

const texts = {
  Create: 'notifications.created',
  CreateRelated: 'notifications.related',
  Update: 'notifications.updated',
  Relate: 'notifications.related',
  Unrelate: 'notifications.unrelated',
} as const;

/** Returns who did what with which record, as one sentence. */
export function notificationText(item: Notification, t: ReturnType<typeof useText>): string {
  const { noteData } = item;
  const { assignedUserName, relatedIds } = noteData.data;
  // Names can be whole sentences, such as "Send the revised offer".
  const quoted = (name: string) => t('notifications.quoted', { name });
  return t(keyOf(item), {
    by: item.createdByName ?? t('notifications.someone'),
    record: item.relatedParentName ? quoted(item.relatedParentName) : t('notifications.aRecord'),
    to: String(assignedUserName ?? ''),
    name: noteData.relatedName
      ? quoted(noteData.relatedName)
      : t('notifications.others', { count: Array.isArray(relatedIds) ? relatedIds.length : 1 }),
  });
}

function keyOf({ type, noteData, isFeatured, relatedParentId }: Notification) {
  const hasRecord = relatedParentId !== null;
  if (type === 'MentionInPost') {
    return hasRecord ? 'notifications.mention' : 'notifications.mentionOnly';
  }
  if (noteData.type === 'Post') {
    return hasRecord ? 'notifications.post' : 'notifications.postToYou';
  }
  if (noteData.type !== 'Assign') {
    return isFeatured ? 'notifications.createdForYou' : texts[noteData.type];
  }
  if (isFeatured) return 'notifications.assignedToYou';
  return noteData.data['assignedUserId'] ? 'notifications.assigned' : 'notifications.unassigned';
}
