import type { Append } from '../forwarding/append.ts';
import { defineCommand } from '../forwarding/define-command.ts';
import { asFlag, asListOf, asObject, asText, bodyOf, optional } from '../forwarding/read-body.ts';
import { decideMark, type Marks } from './decide-mark.ts';
import { decidePins, type Pinning } from './decide-pins.ts';

interface StreamOwner {
  readonly append: Append;
}

/** The command for a user's subscription to a record. The sender checks the rights. */
export const markCommand = defineCommand({
  name: 'mark',
  readBody: bodyOf<Marks>({
    entityType: asText,
    entityId: asText,
    userId: asText,
    isFollowed: optional(asFlag),
    isStarred: optional(asFlag),
    reaction: optional(asObject<NonNullable<Marks['reaction']>>({ type: asText, isSet: asFlag })),
  }),
  execute: ({ append }: StreamOwner, request) => append(request, decideMark(request)),
});

/** The command for the pins of a record. The sender checks the rights. */
export const pinCommand = defineCommand({
  name: 'pin',
  readBody: bodyOf<Pinning>({
    entityType: asText,
    entityId: asText,
    noteId: asText,
    isPinned: asFlag,
    goneIds: asListOf(asText),
  }),
  execute: ({ append }: StreamOwner, request) => append(request, decidePins(request)),
});

export const streamCommands = [markCommand, pinCommand] as const;
