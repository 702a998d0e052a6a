import { defineAction } from '../routing/action.ts';
import type { Append } from '../routing/append.ts';
import { bodyOf, flag, listOf, objectOf, optional, text } from '../routing/read-body.ts';
import { decideMark, type Marks } from './decide-mark.ts';
import { decidePins, type Pinning } from './decide-pins.ts';

interface StreamOwner {
  readonly append: Append;
}

/** About the subscription of a user to a record. Who may set it is for the sender to ask. */
export const markAction = defineAction({
  name: 'mark',
  readBody: bodyOf<Marks>({
    entityType: text,
    entityId: text,
    userId: text,
    isFollowed: optional(flag),
    isStarred: optional(flag),
    reaction: optional(objectOf<NonNullable<Marks['reaction']>>({ type: text, isSet: flag })),
  }),
  execute: ({ append }: StreamOwner, request) => append(request, decideMark(request)),
});

/** About the pins of a record. Who may pin is for the sender to ask. */
export const pinAction = defineAction({
  name: 'pin',
  readBody: bodyOf<Pinning>({
    entityType: text,
    entityId: text,
    noteId: text,
    isPinned: flag,
    goneIds: listOf(text),
  }),
  execute: ({ append }: StreamOwner, request) => append(request, decidePins(request)),
});

export const streamActions = [markAction, pinAction] as const;
