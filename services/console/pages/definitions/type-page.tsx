import { Group, Stack, Tabs, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { usePageText } from '../../language/page-text.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { useSearchState } from '../../parts/list/search-state.ts';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { type TypeState, typeReaders } from './definitions-state.ts';
import { EventsTab } from './events-tab.tsx';
import { FieldsTab } from './fields/fields-tab.tsx';
import { LayoutsTab } from './layouts/layouts-tab.tsx';
import { LinksTab } from './links/links-tab.tsx';
import { OptionsTab } from './options-tab.tsx';

/** The page of one entity type. */
export function TypePage() {
  const { entity: name } = useParams({ from: '/definitions/$entity' });
  const metadata = useMetadata();
  const entity = metadata.get(name);
  const isShown = metadata.has('Role') && entity?.scope.customizable === true;
  return isShown ? <Type key={name} entity={entity} /> : <NotFound />;
}

const emptyState = { q: undefined, sort: undefined, mode: undefined, name: undefined };

function Type({ entity }: { readonly entity: Entity }) {
  const t = usePageText();
  const [state, change] = useSearchState<TypeState>(typeReaders);
  const props = { entity, state, onChange: change };
  const { name, scope } = entity;
  return (
    <Stack p="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <PageTitle>{entity.label}</PageTitle>
          {name === entity.label ? null : <Text c="dimmed">{name}</Text>}
        </div>
        {scope.tab ? (
          <ButtonLink variant="default" to="/records/$entity" params={{ entity: name }}>
            {t('definitions.toRecords')}
          </ButtonLink>
        ) : null}
      </Group>
      <Tabs
        value={state.tab ?? 'fields'}
        onChange={(tab) => change({ ...emptyState, tab: typeReaders.tab(tab) })}
      >
        <Tabs.List>
          <Tabs.Tab value="fields">{t('definitions.fields')}</Tabs.Tab>
          <Tabs.Tab value="links">{t('definitions.links')}</Tabs.Tab>
          {scope.object ? <Tabs.Tab value="layouts">{t('layouts.title')}</Tabs.Tab> : null}
          {scope.object ? <Tabs.Tab value="events">{t('definitions.events')}</Tabs.Tab> : null}
          {scope.isCustom ? <Tabs.Tab value="options">{t('definitions.options')}</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value="fields">
          <FieldsTab {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="links">
          <LinksTab {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="layouts">
          <LayoutsTab entity={entity} />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <EventsTab {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="options">
          <OptionsTab entity={entity} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
