import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMetadata } from '../../api/metadata.ts';
import { recordQuery } from '../../api/records.ts';
import { useRightsOf } from '../../api/rights.ts';
import { sessionQuery, useUser } from '../../api/session.ts';
import { usePageText } from '../../language/page-text.ts';
import { Facts } from '../../parts/facts.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { PersonForm } from '../people/person-form.tsx';

/** The attributes that users may change in their own records, if a role allows it. */
const names = ['salutationName', 'firstName', 'lastName', 'title', 'emailAddress', 'phoneNumber'];

/** The user's own name and addresses. */
export function OwnDetailsPanel() {
  return useRightsOf()('User').may('edit') ? <DetailsForm /> : <OwnFacts />;
}

function DetailsForm() {
  const t = usePageText();
  const queries = useQueryClient();
  const { user } = useUser();
  const entity = useMetadata().get('User');
  const found = useQuery(recordQuery('User', user.id));
  if (entity === undefined) return <OwnFacts />;
  if (found.data === undefined) return <Pending query={found} height={200} />;
  return (
    <PersonForm
      entity={entity}
      found={found.data}
      panelsOf={() => [{ label: t('profile.details'), names }]}
      onSaved={() => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })}
    />
  );
}

function OwnFacts() {
  const t = usePageText();
  const { user } = useUser();
  const { userName, name, emailAddress } = Object(user) as Readonly<Record<string, unknown>>;
  return (
    <Panel title={t('profile.details')}>
      <Facts
        label={t('profile.details')}
        facts={[
          [t('signIn.userName'), String(userName)],
          [t('people.name'), String(name ?? '')],
          [t('profile.emailAddress'), String(emailAddress ?? '–')],
        ]}
      />
      <Hint>{t('profile.detailsText')}</Hint>
    </Panel>
  );
}
