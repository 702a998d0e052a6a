import { Popover, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useUser } from '../../../api/session.ts';
import { type MentionableUser, mentionableUsersQuery } from '../../../api/stream.ts';
import { useText } from '../../../language/language.tsx';
import { mentionAt } from './mention-at.ts';
import classes from './post-text.module.css';

interface Props {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The input for the text of a post. Offers users after an `@`. */
export function PostText({ label, text, onText }: Props) {
  const input = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const offer = useMentions(text);
  const { users, active } = offer;
  const insert = (user: MentionableUser): void => {
    const { start, end } = offer;
    const before = `${text.slice(0, start)}@${user.userName} `;
    onText(before + text.slice(end));
    offer.close();
    // After the new text is rendered.
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(before.length, before.length);
    });
  };
  const act = (event: KeyboardEvent): void => {
    const user = users[active];
    if (user === undefined || event.nativeEvent.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) offer.activate((active + move + users.length) % users.length);
    else if (event.key === 'Enter' || event.key === 'Tab') insert(user);
    else if (event.key === 'Escape') offer.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Popover
      opened={users.length > 0}
      position="bottom-start"
      width={300}
      withRoles={false}
      trapFocus={false}
      returnFocus={false}
      closeOnEscape={false}
    >
      <Popover.Target>
        <Textarea
          ref={input}
          label={label}
          autosize
          minRows={2}
          maxRows={12}
          value={text}
          aria-autocomplete="list"
          aria-controls={users.length > 0 ? listId : undefined}
          aria-activedescendant={users.length > 0 ? `${listId}-${active}` : undefined}
          onChange={({ currentTarget }) => {
            onText(currentTarget.value);
            offer.moveTo(currentTarget.selectionStart);
          }}
          onSelect={({ currentTarget }) => offer.moveTo(currentTarget.selectionStart)}
          onBlur={offer.close}
          onKeyDown={act}
        />
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <Users {...{ listId, users, active }} onPick={insert} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Users(props: {
  readonly listId: string;
  readonly users: readonly MentionableUser[];
  readonly active: number;
  readonly onPick: (user: MentionableUser) => void;
}) {
  const t = useText();
  const { listId, users, active, onPick } = props;
  return (
    <div role="listbox" id={listId} aria-label={t('stream.mention')}>
      {users.map((user, index) => (
        // The keyboard is handled by the input, which keeps the focus.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        <div
          key={user.id}
          role="option"
          id={`${listId}-${index}`}
          aria-selected={index === active}
          className={classes['option']}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(user)}
        >
          <Text size="sm" truncate>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            @{user.userName}
          </Text>
        </div>
      ))}
    </div>
  );
}

const waitMs = 200;
const none: readonly never[] = [];

/** The users who match the mention at the caret, one of whom is active. */
function useMentions(text: string) {
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  /** The mention that the user closed. */
  const [closed, setClosed] = useState<number>();
  const mention = mentionAt(text, caret);
  const isOpen = mention !== undefined && mention.start !== closed;
  const [settled] = useDebouncedValue(mention?.typed ?? '', waitMs);
  const { data } = useQuery({
    ...mentionableUsersQuery(useUser(), settled),
    placeholderData: keepPreviousData,
    ...(isOpen ? {} : { enabled: false }),
  });
  const users = isOpen ? (data ?? none) : none;
  return {
    start: mention?.start ?? caret,
    end: caret,
    users,
    active: Math.min(chosen, Math.max(users.length - 1, 0)),
    activate: setChosen,
    moveTo(position: number): void {
      const next = mentionAt(text, position)?.start;
      setCaret(position);
      setChosen(0);
      if (next !== closed) setClosed(undefined);
    },
    close: () => setClosed(mention?.start),
  };
}
