import { defineChange } from '../owner/define-command.ts';
import { asFlag, asListOf, asObject, asText, optional } from '../owner/read-body.ts';
import { decideMark, type Marks } from './decide-mark.ts';
import { decidePins, type Pinning } from './decide-pins.ts';

/** Changes a user's subscription to a record. The sender checks the permissions. */
export const markCommand = defineChange({
  name: 'mark',
  readBody: asObject<Marks>({
    entityType: asText,
    entityId: asText,
    userId: asText,
    isFollowed: optional(asFlag),
    isStarred: optional(asFlag),
    reaction: optional(asObject<NonNullable<Marks['reaction']>>({ type: asText, isSet: asFlag })),
  }),
  decide: decideMark,
});

/** Changes the pins of a record. The sender checks the permissions. */
export const pinCommand = defineChange({
  name: 'pin',
  readBody: asObject<Pinning>({
    entityType: asText,
    entityId: asText,
    noteId: asText,
    isPinned: asFlag,
    goneIds: asListOf(asText),
  }),
  decide: decidePins,
});

export const streamCommands = [markCommand, pinCommand] as const;
