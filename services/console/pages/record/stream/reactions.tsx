import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import {
  type Icon,
  IconHeart,
  IconMoodHappy,
  IconMoodNeutral,
  IconMoodPlus,
  IconMoodSad,
  IconMoodSmile,
  IconMoodSurprised,
  IconThumbDown,
  IconThumbUp,
} from '@tabler/icons-react';
import { type Reaction, type StreamItem, setReaction } from '../../../api/stream.ts';
import { useText } from '../../../language/language.tsx';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import { useStreamChange } from './use-stream-change.ts';

const icons: Readonly<Record<Reaction, Icon>> = {
  Like: IconThumbUp,
  Love: IconHeart,
  Smile: IconMoodSmile,
  Laugh: IconMoodHappy,
  Surprise: IconMoodSurprised,
  Meh: IconMoodNeutral,
  Sad: IconMoodSad,
  Dislike: IconThumbDown,
};

const names = {
  Like: 'stream.like',
  Love: 'stream.love',
  Smile: 'stream.smile',
  Laugh: 'stream.laugh',
  Surprise: 'stream.surprise',
  Meh: 'stream.meh',
  Sad: 'stream.sad',
  Dislike: 'stream.dislike',
} as const;

const types = Object.keys(icons) as readonly Reaction[];

/** The reactions to a post. Those of the user are pressed buttons. Shows nothing without reactions. */
export function Reactions({ item }: { readonly item: StreamItem }) {
  const t = useText();
  const changing = useReaction(item);
  const counted = types.filter((type) => item.reactionCounts?.[type] !== undefined);
  if (counted.length === 0) return null;
  return (
    <Group gap={4}>
      {counted.map((type) => {
        const Icon = icons[type];
        const count = item.reactionCounts?.[type] ?? 0;
        return (
          <Button
            key={type}
            size="compact-xs"
            variant={isOwn(item, type) ? 'light' : 'default'}
            aria-pressed={isOwn(item, type)}
            aria-label={t('stream.reaction', { name: t(names[type]), count })}
            title={t(names[type])}
            leftSection={<Icon size={14} aria-hidden="true" />}
            disabled={changing.isPending}
            onClick={() => changing.mutate(type)}
          >
            {count}
          </Button>
        );
      })}
      {changing.error === null ? null : <ErrorDetails error={changing.error} />}
    </Group>
  );
}

/** Adds a reaction of the user, or removes it. */
export function ReactionMenu({ item }: { readonly item: StreamItem }) {
  const t = useText();
  const changing = useReaction(item);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            size="sm"
            variant="subtle"
            aria-label={t('stream.react')}
            title={t('stream.react')}
            loading={changing.isPending}
          >
            <IconMoodPlus size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {types.map((type) => {
            const Icon = icons[type];
            return (
              <Menu.Item
                key={type}
                leftSection={<Icon size={16} aria-hidden="true" />}
                onClick={() => changing.mutate(type)}
              >
                {t(names[type])}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
      {changing.error === null ? null : <ErrorDetails error={changing.error} />}
    </>
  );
}

function useReaction(item: StreamItem) {
  return useStreamChange(item, async (type: Reaction) =>
    setReaction(item.id, type, !isOwn(item, type)),
  );
}

function isOwn({ myReactions = [] }: StreamItem, type: Reaction): boolean {
  return myReactions.some((one) => one === type);
}
