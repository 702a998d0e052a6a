import { Refusal } from '../../../shared/domain/errors.ts';
import { decideWrite } from '../../../shared/domain/record/decide.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import { MAX_PINS } from '../../../shared/domain/stream/stream-subscription.ts';
import type { WriteRequest } from '../owner/command.ts';
import type { Submission } from '../writer/submission.ts';

/** Pins or unpins a post in the stream of a record. Instances exchange it as JSON. */
export interface Pinning {
  readonly entityType: string;
  readonly entityId: string;
  readonly noteId: string;
  readonly isPinned: boolean;
  /** Ids of deleted pinned posts, which do not count towards the limit. */
  readonly goneIds: readonly string[];
}

/** Decides the list of pinned posts. The limit is exact, because one owner decides all pins of a record. */
export function decidePins({ body }: WriteRequest<Pinning>): Submission['decide'] {
  const { entityType, entityId } = body;
  return (state) =>
    decideWrite(state, {
      entityType,
      entityId,
      noteIds: pinsAfter(state?.values['noteIds'], body),
    });
}

/** Returns the new list, in the order of pinning. Idempotent. */
export function pinsAfter(
  before: unknown,
  { noteId, isPinned, goneIds }: Pick<Pinning, 'noteId' | 'isPinned' | 'goneIds'>,
): readonly string[] {
  const pinned = idsIn(before);
  if (!isPinned) return pinned.filter((id) => id !== noteId);
  if (pinned.includes(noteId)) return pinned;
  const kept = pinned.filter((id) => !goneIds.includes(id));
  if (kept.length < MAX_PINS) return [...kept, noteId];
  throw new Refusal(
    'forbidden',
    'note.too_many_pins',
    `At most ${MAX_PINS} posts can be pinned in one stream.`,
  );
}
