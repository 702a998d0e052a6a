import { Alert, Text } from '@mantine/core';
import { useUnreadRecords } from '../api/write.ts';
import { useText } from '../language/language.tsx';

/** Lists saved changes of the entity type, or of one record, that cannot be shown yet. */
export function UnreadNotice(props: { readonly entity: string; readonly id?: string }) {
  const t = useText();
  const { entity, id } = props;
  const unread = useUnreadRecords().filter(
    (one) => one.entity === entity && (id === undefined || one.id === id),
  );
  if (unread.length === 0) return null;
  return (
    <Alert color="green" role="status" maw={720}>
      {unread.map((one) => (
        <Text key={one.token} size="sm">
          {t(one.isDeletion ? 'forms.unreadDeletion' : 'forms.unread', { name: one.name })}
        </Text>
      ))}
    </Alert>
  );
}
