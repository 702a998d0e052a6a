import { NativeSelect, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { eventNamesOf } from '../../../api/event-names.ts';
import { type Entity, useMetadata } from '../../../api/metadata.ts';
import type { EventSearch } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { EventExample } from './event-example.tsx';
import { VerifySnippet } from './verify-snippet.tsx';

/** The events that webhooks can subscribe to, with the request of each, and how a receiver verifies it. */
export function EventCatalogue({ userId }: { readonly userId: string }) {
  const t = usePageText();
  const types = [...useMetadata().values()].filter(({ scope }) => scope.watchable);
  const [typeName, chooseType] = useState(types[0]?.name);
  const [event, chooseEvent] = useState<string>();
  const [payloadFormat, chooseFormat] = useState<EventSearch['payloadFormat']>('records');
  const entity = types.find(({ name }) => name === typeName);
  if (entity === undefined) return null;
  const shown = event ?? `${entity.name}.create`;
  return (
    <Stack>
      <Text size="sm">{t('webhooks.catalogueText')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NativeSelect
          label={t('webhooks.entityType')}
          value={entity.name}
          data={types.map(({ name, label }) => ({ value: name, label }))}
          onChange={({ currentTarget: { value } }) => {
            chooseType(value);
            chooseEvent(undefined);
          }}
        />
        <EventSelect key={entity.name} entity={entity} value={shown} onChange={chooseEvent} />
        <NativeSelect
          label={t('webhooks.payloadFormat')}
          value={payloadFormat}
          data={[
            { value: 'records', label: t('webhooks.formatRecords') },
            { value: 'events', label: t('webhooks.formatEvents') },
          ]}
          onChange={({ currentTarget: { value } }) =>
            chooseFormat(value === 'events' ? 'events' : 'records')
          }
        />
      </SimpleGrid>
      <EventExample search={{ event: shown, userId, payloadFormat }} />
      <Title order={3} size="h6">
        {t('webhooks.verifySignature')}
      </Title>
      <Text size="sm">{t('webhooks.verifyText')}</Text>
      <VerifySnippet />
    </Stack>
  );
}

function EventSelect(props: {
  readonly entity: Entity;
  readonly value: string;
  readonly onChange: (event: string) => void;
}) {
  const t = usePageText();
  const { entity, value, onChange } = props;
  return (
    <Select
      label={t('webhooks.event')}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('forms.nothingFound')}
      value={value}
      data={eventNamesOf(entity).map(({ name }) => name)}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen);
      }}
    />
  );
}
