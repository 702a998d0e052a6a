import { useText } from '../language/language.tsx';
import { RecordLink } from './record-link.tsx';

interface Authored {
  readonly byId: string;
  readonly byName: string | null;
  readonly administratorId?: string;
  readonly administratorName?: string | null;
}

/**
 * The user who made a change, and the administrator who acted on behalf of this user. Next to other text the link needs
 * an underline.
 */
export function Author({
  event,
  underline = 'hover',
}: {
  readonly event: Authored;
  readonly underline?: 'always' | 'hover';
}) {
  const t = useText();
  const { byId, byName, administratorId, administratorName } = event;
  // Annals itself has no user record.
  const user =
    byName === null ? (
      byId
    ) : (
      <RecordLink entity="User" id={byId} name={byName} underline={underline} />
    );
  if (administratorId === undefined) return user;
  return (
    <>
      {user} ({t('time.administrator', { name: administratorName ?? administratorId })})
    </>
  );
}
