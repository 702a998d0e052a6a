import { Button, Group, List, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useText } from '../../../language/language.tsx';
import type { ListState } from '../list-state.ts';
import { OwnView } from './own-view.tsx';
import { isSameSearch, savedPartOf, sharedViewsQuery, useSavedViews } from './saved-views.ts';
import { ViewLink } from './view-link.tsx';

interface Props {
  readonly entity: string;
  readonly state: Partial<ListState>;
}

/** Opens, saves, shares and deletes views of the list. */
export function ViewsMenu({ entity, state }: Props) {
  const t = useText();
  const [isOpen, menu] = useDisclosure();
  const { views, save, remove, share } = useSavedViews(entity);
  const { data: others = [] } = useQuery(sharedViewsQuery(entity));
  const current = [...views, ...others].find(({ search }) => isSameSearch(search, state));
  return (
    <Popover opened={isOpen} onChange={menu.toggle} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          variant={current === undefined ? 'default' : 'light'}
          leftSection={<IconBookmark size={16} aria-hidden="true" />}
          aria-haspopup="dialog"
          title={current?.name ?? t('views.title')}
          maw="14rem"
          onClick={menu.toggle}
        >
          {current?.name ?? t('views.title')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('views.title')} maw="90vw" w={300}>
        <Stack gap="sm">
          {views.length + others.length === 0 ? <Text size="sm">{t('views.nothing')}</Text> : null}
          <List listStyleType="none" spacing={4} styles={listStyles}>
            {views.map((view) => (
              <List.Item key={view.name}>
                <OwnView
                  entity={entity}
                  view={view}
                  isCurrent={view === current}
                  onOpen={menu.close}
                  onRemove={() => remove(view.name)}
                  onShare={(teamsIds) => share(view, teamsIds)}
                />
              </List.Item>
            ))}
          </List>
          {others.length === 0 ? null : (
            <div>
              <Text size="sm" c="dimmed" id="shared-views">
                {t('views.shared')}
              </Text>
              <List
                listStyleType="none"
                spacing={4}
                styles={listStyles}
                aria-labelledby="shared-views"
              >
                {others.map((view) => (
                  <List.Item key={`${view.ownerId} ${view.name}`}>
                    <ViewLink
                      entity={entity}
                      view={view}
                      isCurrent={view === current}
                      onOpen={menu.close}
                    />
                    <Text size="xs" c="dimmed">
                      {t('views.by', { name: view.ownerName })}
                    </Text>
                  </List.Item>
                ))}
              </List>
            </div>
          )}
          <SaveForm onSave={(name) => save({ name, search: savedPartOf(state) })} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const listStyles = { itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } };
const longestName = 60;

function SaveForm({ onSave }: { readonly onSave: (name: string) => void }) {
  const t = useText();
  const [name, setName] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    onSave(name.trim());
    setName('');
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('views.name')}
          description={t('views.kept')}
          inputWrapperOrder={['label', 'input', 'description']}
          maxLength={longestName}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Group>
      <Button type="submit" mt="xs" size="compact-sm" disabled={name.trim() === ''}>
        {t('views.save')}
      </Button>
    </form>
  );
}
