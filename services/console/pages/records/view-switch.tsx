import { Button } from '@mantine/core';
import { IconLayoutKanban, IconList } from '@tabler/icons-react';
import { boardFieldOf } from '../../api/board.ts';
import type { Entity } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import type { ListState } from './list-state.ts';

/** Switches between the list and the board of the same records. Shows nothing for types without a board. */
export function ViewSwitch(props: {
  readonly entity: Entity;
  readonly state: Partial<ListState>;
  readonly shown: 'board' | 'list';
}) {
  const t = useText();
  const { entity, state, shown } = props;
  if (boardFieldOf(entity) === undefined) return null;
  const { filter, q, where } = state;
  const target = { params: { entity: entity.name }, search: { filter, q, where } };
  // Narrow screens have room only for the other view.
  const look = (isShown: boolean) =>
    isShown
      ? ({ variant: 'light', visibleFrom: 'sm' } as const)
      : ({ variant: 'default' } as const);
  return (
    <Button.Group>
      <ButtonLink
        {...look(shown === 'list')}
        leftSection={<IconList size={16} aria-hidden="true" />}
        title={t('board.toList')}
        to="/records/$entity"
        {...target}
      >
        {t('board.toList')}
      </ButtonLink>
      <ButtonLink
        {...look(shown === 'board')}
        leftSection={<IconLayoutKanban size={16} aria-hidden="true" />}
        title={t('board.open')}
        to="/board/$entity"
        {...target}
      >
        {t('board.open')}
      </ButtonLink>
    </Button.Group>
  );
}
