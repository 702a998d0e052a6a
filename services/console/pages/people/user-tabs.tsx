import { Stack } from '@mantine/core';
import { useState } from 'react';
import { type Keys, keysIn } from '../../api/people.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { KeyPanel } from './key-panel.tsx';
import { PersonDetails } from './person-form.tsx';
import { PersonTabs } from './person-tabs.tsx';
import { RightsTab } from './rights/rights-tab.tsx';
import type { TabsProps } from './tabs-props.ts';
import { PasswordPart, useUserPanels } from './user-fields.tsx';

/** A user and their effective permissions. */
export function UserTabs(props: TabsProps) {
  const t = useText();
  return (
    <PersonTabs
      tabs={[
        {
          name: 'details',
          label: t('people.details'),
          show: () => <Details {...props} />,
        },
        {
          name: 'rights',
          label: t('people.effective'),
          show: () => <RightsTab user={props.found.record} />,
        },
      ]}
    />
  );
}

function Details(props: TabsProps) {
  const panelsOf = useUserPanels();
  const [keys, setKeys] = useState<Keys>();
  const { record } = props.found;
  const { user } = useUser();
  return (
    <Stack>
      {record['type'] === 'api' && user.isAdmin ? (
        <KeyPanel user={record} keys={keys} onKeys={setKeys} />
      ) : null}
      <PersonDetails
        {...props}
        panelsOf={panelsOf}
        extra={(extra) => <PasswordPart {...extra} isNew={false} />}
        onSaved={(saved, changed) => {
          // The server generates new keys when the authentication method changes.
          if (saved['type'] === 'api' && ('authMethod' in changed || 'type' in changed)) {
            setKeys(keysIn(saved));
          }
        }}
      />
    </Stack>
  );
}
