import { ActionIcon, Group, MultiSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUsers, IconX } from '@tabler/icons-react';
import { useUser } from '../../../api/session.ts';
import { linkedOf } from '../../../fields/input-parts.ts';
import { useText } from '../../../language/language.tsx';
import type { SavedView } from './saved-views.ts';
import { ViewLink } from './view-link.tsx';

interface Props {
  readonly entity: string;
  readonly view: SavedView;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
  readonly onShare: (teamsIds: readonly string[]) => void;
}

/** One of the user's views, to open, to share with the user's teams, and to delete. */
export function OwnView({ entity, view, isCurrent, onOpen, onRemove, onShare }: Props) {
  const t = useText();
  const { user } = useUser();
  const [isSharing, sharing] = useDisclosure();
  const { name, teamsIds = [] } = view;
  const teams = linkedOf({ ...user }, 'teams');
  const known = new Set(teams.map(({ id }) => id));
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <ViewLink entity={entity} view={view} isCurrent={isCurrent} onOpen={onOpen} />
        <Group gap={2} wrap="nowrap">
          {teams.length === 0 ? null : (
            <ActionIcon
              variant={teamsIds.length === 0 ? 'subtle' : 'light'}
              aria-label={t('views.share', { name })}
              aria-expanded={isSharing}
              onClick={sharing.toggle}
            >
              <IconUsers size={14} />
            </ActionIcon>
          )}
          <ActionIcon variant="subtle" aria-label={t('views.remove', { name })} onClick={onRemove}>
            <IconX size={14} />
          </ActionIcon>
        </Group>
      </Group>
      {isSharing ? (
        <MultiSelect
          mt={4}
          size="xs"
          label={t('views.sharedWith')}
          description={t('views.sharedWithText')}
          // Closes before the menu that contains it.
          comboboxProps={{ withinPortal: false }}
          data={teams.map((team) => ({ value: team.id, label: team.name }))}
          value={teamsIds.filter((id) => known.has(id))}
          onChange={onShare}
        />
      ) : null}
    </>
  );
}
