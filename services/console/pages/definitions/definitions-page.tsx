import { Button, Group, Stack, Tabs } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMetadata } from '../../api/metadata.ts';
import { usePageText } from '../../language/page-text.ts';
import { useSearchState } from '../../parts/list/search-state.ts';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { CreateTypeDialog } from './create-type-dialog.tsx';
import { type DefinitionsState, definitionsReaders } from './definitions-state.ts';
import { DiagramTab } from './diagram/diagram-tab.tsx';
import { TypesTab } from './types-tab.tsx';

/** The data model, visible only to administrators. */
export function DefinitionsPage() {
  const t = usePageText();
  const metadata = useMetadata();
  const [state, change] = useSearchState<DefinitionsState>(definitionsReaders);
  if (!metadata.has('Role')) return <NotFound />;
  return (
    <Stack p="md">
      <Group justify="space-between">
        <PageTitle>{t('titles.definitions')}</PageTitle>
        <Button
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => change({ mode: 'new' })}
        >
          {t('definitions.newType')}
        </Button>
      </Group>
      <Tabs
        value={state.tab ?? 'types'}
        onChange={(tab) =>
          change({ tab: definitionsReaders.tab(tab), q: undefined, focus: undefined })
        }
      >
        <Tabs.List>
          <Tabs.Tab value="types">{t('definitions.types')}</Tabs.Tab>
          <Tabs.Tab value="diagram">{t('definitions.diagram')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="types">
          <TypesTab state={state} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="diagram">
          <DiagramTab focus={state.focus} onFocus={(focus) => change({ focus })} />
        </Tabs.Panel>
      </Tabs>
      <CreateTypeDialog
        isOpen={state.mode === 'new'}
        onClose={() => change({ mode: undefined }, { replace: true })}
      />
    </Stack>
  );
}
